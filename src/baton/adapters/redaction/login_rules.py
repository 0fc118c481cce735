# ruff: noqa: E501 (a pattern is easier to read in one line)
"""A user and a password without the word for it, where somebody speaks of logging in: rows of `talk_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, SHOWN, TYPED, row

_USER = r"[A-Za-z][\w.@+-]{1,39}"
_VALUE = r"([^\s\"'\x60<>(),;|]{1,40}[0-9#$%*+@&^~!?][^\s\"'\x60<>(),;|]{0,40})"
_MIXED = r"((?-i:[a-z]{2}[a-z]*[0-9@$!][a-z0-9@$!_]{3,30}|[a-z]{5,30}[0-9]{1,4}!?|[\w.-]{2,30}[!#$%&*+?@^~][\w!#$%&*+?@^~-]{2,30}|[A-Z][\w-]{3,30}[0-9]{1,6}))"
"""A word with a digit or a sign in it."""
_CAPITAL = r"((?-i:[A-Z][a-z]{2}[\w.-]{1,30}[0-9][\w-]{0,12}|[\w.-]{2,30}[!#$%&*+?@^~][\w!#$%&*+?@^~-]{1,30}))"
_LOG_IN = (
    r"(?:log(?:ging|ged)?[ -]?in|log ?on|sign(?:ing)?[ -]?in|connect|einlogg\w{0,3}|anmeld\w{0,3}|logg\w{0,2}|connecter|connecte|conectar|conecta|inicia\w{0,3}|entrar|entra"
    r"|accede\w{0,3}|acessar|inloggen|log(?:ga|g) inn?|zaloguj|logowa\w{0,3}|prihl\w{1,8}|ssh|rdp|vpn|\xd0\xb2\xd0\xbe\xd0\xb9\xd1\x82\xd0\xb8|\xd0\xb7\xd0\xb0\xd0\xb9\xd0\xb4\xd0\xb8)"
)
_WITH = r"(?:with|using|mit|avec|con|com|med|met|jako|as|als|comme|como|\xd1\x81|\xd0\xbf\xd0\xbe\xd0\xb4)"
_AND = r"(?:[ ]?/{1,2}[ ]?|[ ]?[|][ ]?|[ ](?:and|und|et|y|e|en|och|og|i|a|with|mit|avec|con|com|\xd0\xb8)[ ]|:[ ]?)"
_CREDENTIALS = (
    r"(?:credentials?|creds|login details|login data|logins?|access data|zugangsdaten|anmeldedaten|logindaten|identifiants?|credenciales|credenciais|credenziali|inloggegevens"
    r"|dane logowania|user(?:name)?[ ]?/[ ]?pass(?:word)?|inloggningsuppgifter|\xd0\xbb\xd0\xbe\xd0\xb3\xd0\xb8\xd0\xbd[ ]?/[ ]?\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xd0\xb4\xd0\xbe\xd1\x81\xd1\x82\xd1\x83\xd0\xbf\xd1\x8b?)"
)
_ARE = r"(?::|\b(?:are|is|sind|lauten|sont|son|sono|zijn|s\xc3\xa3o))"
_USERS = r"(?:user|username|login|usr|benutzer|nutzer|usuario|utilisateur|identifiant|usu\xc3\xa1rio|utente|gebruiker|\xd0\xbb\xd0\xbe\xd0\xb3\xd0\xb8\xd0\xbd|\xd0\xbf\xd0\xbe\xd0\xbb\xd1\x8c\xd0\xb7\xd0\xbe\xd0\xb2\xd0\xb0\xd1\x82\xd0\xb5\xd0\xbb\xd1\x8c|\xd0\xbb\xd0\xbe\xd0\xb3\xd1\x96\xd0\xbd|kullan\xc4\xb1c\xc4\xb1|u\xc5\xbcytkownik|u\xc5\xbeivatel)"
_PASSWORDS = r"password|passwort|kennwort|contrase\xc3\xb1a|contrasena|clave|senha|mot de passe|mdp|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xc5\x9fifre|parola|wachtwoord|has\xc5\x82o|heslo|l\xc3\xb6senord|passord"

LOGINS = (
    row(
        "an address and what stands behind it in a list",
        r"[\w.-]@[\w-]{1,40}\.[\w.-]{2,40}[ ]{1,3}(?:-|\|)[ ]{1,3}[^\s]{6}",
        r"\b[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40} {1,3}(?:-|\|) {1,3}([^\s,;:|<>()@\"'\x60/]{2,40}(?:[0-9!#$%&*+?^~_]|//)[^\s,;:|<>()@\"'\x60/]{1,40})[ \t]*(?:[\r\n]|$)",
        TYPED,
        examples=("1) console - rob@pines.example - «mud_kiln_1s_0n»\n", "ann@pines.example | «Mudlark//1889»\n"),
        left=("ann@pines.example - v2.4.1\n", "ann@pines.example - 2026-01-04\n", "ann@pines.example - team/infra2\n"),
    ),
    row(
        "a user and what stands behind the stroke, in a list",
        r"[:-][ ][\w.-]{2,24}[ ]/[ ][^\s]{6}",
        r"(?:^|\n)[ \t]*(?:[-*]|[0-9]{1,2}[.)])?[ \t]*[\w -]{2,24}(?::| -) [\w.-]{2,24} / ([A-Za-z0-9._-]{1,30}[!#$%&*+?^~@][\w!#$%&*+?^~@.-]{1,30})[ \t]*(?:[\r\n]|$)",
        SHOWN,
        examples=("- laptop: mkowal / «Pebble!Harbour3»\n- printer: none\n",),
        left=("- mail: ann / ann@pines.example\n", "- theme: dark / light\n"),
    ),
    row(
        "a login is an address with a password",
        rf"\blogin[ ](?:is|=|:)[ ][^\s]{{1,40}}@[^\s]{{3,60}}[ ]{_WITH}[ ]\S{{4}}",
        rf"\blogin (?:is|=|:) [^\s]{{1,40}}@[^\s]{{3,60}} {_WITH} ((?-i:[A-Z][a-z]+(?: [A-Za-z0-9]+){{0,3}} [0-9]{{1,4}}|[\w!#$%&*+?^~.-]{{2,40}}[0-9!#$%&*+?^~][\w!#$%&*+?^~-]{{0,20}}))(?:[\s.,;(]|$)",
        TYPED,
        examples=(
            "the netflix login is rosa@mail.example with «goatlane8», third profile",
            "login is ann@mail.example with «Heron!73» I think",
        ),
        left=("login is done by ann@mail.example with OAuth", "the login is ann@mail.example with the usual one"),
    ),
    row(
        "first the user, then the password",
        r"[ ](?:admin|root|user|administrator)[ ](?:and[ ]then|then)[ ]\S{5}",
        r" (?:is|=|:|with) (?:admin|root|user|administrator) (?:and then|then) ([a-z]{1,30}[0-9!#$%&*+?^~@][\w!#$%&*+?^~@-]{1,30}|(?-i:[A-Z][\w-]{3,30}[0-9]{1,6}))(?:[\s.,;]|$)",
        TYPED,
        examples=("the router thing is admin and then «gr33nkettle», go on",),
        left=("it is admin then user2 who may", "log in with root then reboot"),
    ),
    row(
        "not that but this, to log in",
        r"\b(?:it'?s|its|was)[ ]not[ ][^\s]{4,40}[ ](?:it'?s|its|but)[ ]\S{5}",
        r"\b(?:it'?s|its|was) not [^\s,]{4,40},? (?:it'?s|its|but) ((?-i:[A-Z][a-z]{3,20}[0-9]{1,6}[!?*#]?|[a-z]{3,20}[0-9@$!][a-z0-9@$!]{1,20}))\b[^\n]{0,30}\b(?:again|ssh|log ?in|sign in|unlock|pass\w*|pw)\b",
        SHOWN,
        examples=("sorry, it's not Hollyhock9 it's «Hollyhock19», try ssh again as root",),
        left=("it's not python38 it's python39, install it", "its not the port its the firewall again"),
    ),
    row(
        "the same as the other one",
        r"\b(?:pass|password|passphrase|pw|pwd)[ ](?:is|are)[ ]the[ ](?:same|following|one)\b[^\n:]{0,40}:[ ]\S{4}",
        r"\b(?:pass|password|passphrase|pw|pwd) (?:is|are) the (?:same|following|one)\b[^\n:]{0,40}: ([^\s,;\"'\x60]{4,60})",
        SHOWN,
        examples=("the keystore pass is the same as the alias one: «quillback2031». build it",),
        left=("the password is the same as before: nothing changed",),
    ),
    row(
        "words in quotes that are the pass phrase",
        r"\"[ ]?[^\n\"]{0,40}\bthat'?s[ ](?:the|our|my)[ ]pass[ ]?(?:phrase|word)\b",
        r"\"((?:[A-Za-z'\x80-\xff]+ ){2,8}[A-Za-z'\x80-\xff]+)\"[^\n\"]{0,40}\bthat'?s (?:the|our|my) pass ?(?:phrase|word)\b",
        ANYTHING,
        examples=('Just whisper "«the heron left early»" at the door, thats the pass phrase for saturday',),
        left=('the field is called "password", so that\'s the password form',),
    ),
    row(
        "log in with a user and a password",
        rf"\b{_WITH}[ ]{_USER}{_AND}[^\s]{{6}}",
        rf"\b{_LOG_IN}\b[^\n]{{0,40}}?\b{_WITH} {_USER}{_AND}{_VALUE}|\b{_WITH} {_USER}{_AND}{_VALUE}[ ](?:[^\s]{{1,16}} ){{0,2}}{_LOG_IN}",
        SHOWN,
        examples=(
            "you can log in with joe.m / «b7Q#tz+44Lm» if you like",
            "du kannst dich mit svc-report und «harbour9032» anmelden",
            "connecte-toi avec jmartin et «Kestrel4417!» merci",
            "puedes entrar con jlopez y «harbour9032»",
        ),
        left=(
            "log in with OAuth2 and OpenID2",
            "log in with Google and Apple",
            "connect with ssh-agent and ed25519 keys",
            "log in with joe and ask for room-12",
            "sign in with GitHub and open issue #4412",
        ),
    ),
    row(
        "log in as a user with a password",
        rf"[ ](?:as|als|como|come|jako|comme|en tant que)[ ]{_USER}[ ]{_WITH}[ ]\S{{5}}".replace(
            "en tant que", "en[ ]tant[ ]que"
        ),
        rf"\b{_LOG_IN}\b[^\n]{{0,30}}? (?:as|als|como|come|jako|comme|en tant que) {_USER} {_WITH} (?:the )?(?:pw |pass |password )?{_MIXED}(?:[\s.,;]|$)",
        TYPED,
        examples=(
            "ssh in as deploy with «hunt3rsmoon» on 10.20.4.17",
            "connecte-toi en tant que julien avec «lapinbleu3» sur preprod",
            "log in als beheer met «fietsbel12» op de server",
        ),
        left=("connect as root with OAuth2 and go on", "log in as admin with sha256 sums"),
    ),
    row(
        "a password, then a pair for it",
        rf"\b(?:{_PASSWORDS})\b(?:[ ](?:for|of|do|da|du|de la|del|van|f\xc3\xbcr)[ ][^\n:=]{{1,40}})?:[ ][A-Za-z][\w.@-]{{1,31}}[ ]/[ ][^\s/]{{5}}",
        rf"\b(?:{_PASSWORDS})\b(?:[ ](?:for|of|do|da|du|de la|del|van|f\xc3\xbcr)[ ][^\n:=]{{1,40}})?: [A-Za-z][\w.@-]{{1,31}} / ([^\s/,;\"'\x60<>()]{{5,40}})(?:[,;.]?[ \t]*(?:\r?\n|$)|[,;] )",
        TYPED,
        examples=("a senha do ipmi: ADMIN / «girassol»", "password for the nas: root / «sunflower», port 22"),
        left=("password policy: length / required",),
    ),
    row(
        "a link, then a pair for it",
        r"https?://[^\s]{4,100}[ \t]{1,4}[A-Za-z][\w.@-]{1,31}[ ]/[ ]\S{6}",
        rf"https?://[^\s]{{4,100}}[ \t]{{1,4}}[A-Za-z][\w.@-]{{1,31}} / {_VALUE}{ALONE}",
        SHOWN,
        examples=("- firewall: https://10.1.1.1:4443 netadmin / «Gr@n1teWall»\n",),
        left=("https://x.example/docs api / v2.1\n",),
    ),
    row(
        "the one for something",
        r"\bthe[ ](?:vpn|wifi|wi-fi|db|mail|ssh|ftp|nas|router|admin|guest|staging|prod|backup|root)[ ]one[ ](?:is|was)[ ]\S{6}",
        rf"\bthe (?:vpn|wifi|wi-fi|db|mail|ssh|ftp|nas|router|admin|guest|staging|prod|backup|root) one (?:is|was) {_CAPITAL}(?:[\s.,;]|$)",
        TYPED,
        prose=True,
        examples=("Samantha told me the vpn one is «Lollipop_77» and mine is another",),
        left=("the db one is postgres16", "the staging one is v2.1.0", "the prod one is node-18"),
    ),
    row(
        "what passes for something",
        r"\b(?:keystore|key|store|vpn|db|database|admin|root|wifi|ftp|ssh|mail|smtp|router|nas|sudo|login|mysql|postgres|redis|alias)[ ]pass[ ]\S{6}",
        rf"\b(?:keystore|key|store|vpn|db|database|admin|root|wifi|ftp|ssh|mail|smtp|router|nas|sudo|login|mysql|postgres|redis|alias) pass {_CAPITAL}(?:[,;.]|[ \t]*(?:\r?\n|$))",
        TYPED,
        prose=True,
        examples=("keystore pass «Harbour-42», alias release, key pass «Kestrel.33». file release.jks",),
        left=("the login pass v2.1.0, then", "mysql pass 100%, redis fails"),
    ),
    row(
        "use it for the login",
        rf"\b(?:for|to|zum|f\xc3\xbcr den|pour|para|per|voor)[ ](?:the |den |das |la |le |el |o |il |de |het )?{_LOG_IN}",
        rf"\b(?:use|try|take|nimm|nutze|verwende|utilise|prends|usa|use|gebruik|neem) {_VALUE} (?:for|to|zum|f\xc3\xbcr|pour|para|per|voor) (?:the |den |das |la |le |el |o |il |de |het )?{_LOG_IN}",
        SHOWN,
        examples=("you can use «b7Q#tz+44Lm» for the login", "nimm «harbour9032» zum Einloggen"),
        left=("use OAuth2 for the login", "use passkeys to log in", "use example.org/login2 to sign in"),
    ),
    row(
        "root / password",
        r"(?:^|[\s(,:-])(?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy)[ ]/[ ]\S{6}",
        rf"(?:^|[\s(,:-])(?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy) / {_VALUE}(?:[\s,;)]|\.(?:\s|$)|$)",
        SHOWN,
        examples=("the box is up\nadmin / «b7Q#tz+44Lm»\n", "grafana  admin / «harbour9032»\nport 3000"),
        left=("root / usr2\n", "admin / settings\n", "admin / v1.2.3\n", "roles: guest / admin"),
    ),
    row(
        "credentials, then a pair",
        rf"{_CREDENTIALS}[^\n:]{{0,48}}{_ARE}[ \t]{{0,2}}(?:\r?\n)?[ \t]{{0,4}}\S{{2}}",
        rf"{_CREDENTIALS}[^\n:]{{0,48}}?{_ARE}[ \t]{{0,2}}(?:\r?\n)?[ \t]{{0,4}}{_USER}(?:{_AND}|[ ]?,[ ]?|[ ]|\r?\n[ \t]{{0,4}}){_VALUE}(?:[\s.,;]|$)",
        SHOWN,
        examples=(
            "The credentials for the shop are joe «b7Q#tz+44Lm»\n",
            "Zugangsdaten für den Server: joe@corp.example und «Kestrel4417!»\n",
            "identifiants : joe / «harbour9032»\n",
            "логин/пароль: joe / «harbour9032»\n",
        ),
        left=(
            "credentials: see OPS-4412\n",
            "The credentials are stored in vault2\n",
            "login: joe 10:42\n",
            "credentials: read from config2.yml\n",
            "creds: type x509\n",
        ),
    ),
    row(
        "user, password and nothing more",
        rf"(?:{_PASSWORDS})[ ][^\s:=,;]{{4}}",
        rf"(?:^|[\s(]){_USERS} {_USER}[ ,;/]{{1,3}}(?:{_PASSWORDS}) ([^\s:=,;.()\"'\x60<>]{{5,64}})\.?{ALONE}",
        TYPED,
        examples=(
            "логин maria, пароль «бабочка»\n",
            "Benutzer max, Passwort «kirschbaum»\n",
            "usuario joe, contraseña «mariposa»\n",
        ),
        left=(
            "login joe, пароль неверный\n",
            "user joe, password required\n",
            "Benutzer max, Passwort vergessen\n",
            "user accounts, password policies here\n",
        ),
        near=_USERS,
    ),
    row(
        "login, user, pass, password",
        rf"\b(?:login|user|username|usr|benutzer|nutzer)[ ]{_USER}[ ,;/]{{1,3}}(?:pass|pw|pwd|passwort|kennwort|mdp|senha|p)[ ]\S{{6}}",
        rf"\b(?:login|user|username|usr|benutzer|nutzer) {_USER}[ ,;/]{{1,3}}(?:pass|pw|pwd|passwort|kennwort|mdp|senha|p) {_VALUE}",
        SHOWN,
        examples=("login joe pass «harbour9032»\n", "user joe, pw «b7Q#tz+44Lm»\n"),
        left=("login may pass auth2\n", "user tests pass on node-18\n"),
    ),
)
