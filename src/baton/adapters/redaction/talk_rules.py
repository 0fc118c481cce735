# ruff: noqa: E501 (a pattern is easier to read in one line)
"""How people tell each other a password without saying `the password is`: rows like those of `carrier_rules`.

A value of a row with SHOWN looks like a password by itself; one with ANYTHING is digits, by the row's own pattern.
"""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, SHOWN, TYPED, row
from baton.adapters.redaction.keypad_rules import KEYPADS
from baton.adapters.redaction.login_rules import LOGINS
from baton.adapters.redaction.telling_rules import TELLING


def _either(words: str) -> str:
    """The words between commas, those of other alphabets byte by byte."""
    return "|".join(
        "".join(chr(byte) if byte < 0x80 else f"\\x{byte:02x}" for byte in word.strip().encode())
        for word in words.split(",")
    )


WORD = "(?:{})".format(
    _either(
        "password,passwd,passphrase,passcode,pwd,pw,pass,passwort,kennwort,mot de passe,mdp,contraseña,clave,senha,palavra-passe,parola d'ordine"
        ",wachtwoord,lösenord,lösenordet,adgangskoden,adgangskode,kodeord,kodeordet,passord,passordet,salasana,hasło,haslo,heslo,jelszó,parola,şifre,şifresi"
        ",κωδικός,пароль,гасло,كلمة المرور,סיסמה,הסיסמה,पासवर्ड,mật khẩu,kata sandi,รหัสผ่าน,密码,密碼,パスワード,비밀번호,비번"
    )
)
_ASKS = r"\b(?:send|give|tell|need|what|whats|which|remind|forgot|lost|have|know|anyone|got|again|schick|gib|sag|brauch|brauche|envoie|donne|manda|passa|stuur|geef)\b[^\n]{0,60}"
_VALUE = r"([^\s\"'\x60<>(),;|]{1,40}[0-9#$%*+@&^~!?][^\s\"'\x60<>(),;|]{0,40})"
"""With a digit or a sign: an ordinary word is passed over, not taken for the value."""
_STAMP = r"(?:\[[^\]\n]{1,24}\][ \t]*|[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[ap]m)?[ \t]*(?:-[ \t]*)?)?"
_SPEAKER = r"(?:>+[ \t]*|[-*][ \t]+|<[^\s<>][^\n<>]{0,23}>[ \t]+|[^\s:<>\[][^\n:<>\[]{0,23}:[ \t]+)?"
_SAYS = "(?:(?:{})[,:]?[ \\t]+){{0,3}}".format(
    _either(
        "it's,its,it is,it was,i think,should be,that's,that is,is,sure,yes,yep,ok,here,here you go,es ist,das ist,ist,ja,klar,hier,c'est,oui,voici,es,sí,é,sim,è,sì,ecco"
        ",het is,hier is,det är,det er,se on,to,tak,je to,ano,az,este,είναι,это,да,вот,це,так"
    )
)
_ANSWER = rf"(?:{_STAMP}{_SPEAKER}[^\n]{{0,24}}\r?\n)??[ \t]*{_STAMP}{_SPEAKER}{_SAYS}[\x60*]{{0,2}}{_VALUE}[\x60*]{{0,2}}{ALONE}"

_PHRASES = r"(?:pass ?phrase|phrase (?:de passe|secr\xc3\xa8te)|frase de contrase\xc3\xb1a|wachtwoordzin|l\xc3\xb6senfras|seed phrase)"
_SAID_TO_BE = r"(?:(?:it's|its|it is|it was|that's|try|use|es ist|das ist|c'est|es|\xc3\xa9|\xc3\xa8|het is|to|\xd1\x8d\xd1\x82\xd0\xbe)[,:]?[ \t]+)?"
_ONE_WORD = r"([a-z\x80-\xff][a-z0-9\x80-\xff-]{4,39})"

ANSWERS = (
    row(
        "a question, then its answer",
        r"\?[ \t]{0,2}[^\s]{0,4}\r?\n",
        rf"{WORD}[^\n?]{{0,40}}\?[ \t]{{0,2}}[^\s]{{0,4}}\r?\n{_ANSWER}",
        SHOWN,
        examples=(
            "[09:12] Ute: Wie hieß das Kennwort?\n[09:13] Max: «harbour9032»\n",
            "9:12 Ute: weißt du das Passwort noch?\n9:13 Max: klar, «harbour9032»\n",
            "joe: the router pwd?\nann: one sec\nann: «b7Q#tz+44Lm»\n",
            "user: do you know the password?\nassistant: It is «harbour9032».\n",
            "Luc : c'est quoi le mot de passe ?\nZoé : c'est «harbour9032»\n",
            "Иван: какой пароль?\nОля: «harbour9032»\n",
        ),
        left=(
            "Forgot your password?\nClick here\n",
            "joe: what is the password?\nann: ask Tom in room2\n",
            "Wie lang muss das Passwort sein?\nMax: 12 Zeichen\n",
            "what is a strong password?\nann: twelve signs or more\n",
        ),
        near=WORD,
    ),
    row(
        "a question, then a word said to be the answer",
        r"\?[ \t]{0,2}[^\s]{0,4}\r?\n",
        rf"\b(?:what|whats|which|was|wie|welches|quel|quelle|cu\xc3\xa1l|qual|come|wat|jakie|jak\xc3\xa9|hangi|\xd0\xba\xd0\xb0\xd0\xba\xd0\xbe\xd0\xb9|apa)\b[^\n?]{{0,50}}{WORD}[^\n?]{{0,40}}\?[ \t]{{0,2}}[^\s]{{0,4}}\r?\n[ \t]*{_STAMP}{_SPEAKER}{_SAID_TO_BE}[\x60*]{{0,2}}{_ONE_WORD}[\x60*]{{0,2}}[.!]?{ALONE}",
        TYPED,
        examples=(
            "Agent: what is the shop password?\nUser: it's «dandelion»\n",
            "Ute: Wie ist das Passwort?\nMax: «gänseblume»\n",
            "ann: what was the wifi password?\nbob: «pancakes»\n",
        ),
        left=(
            "Agent: what is the password?\nUser: unknown\n",
            "Agent: what is the password?\nUser: sure, wait\n",
            "what is a password?\nA secret.\n",
            "what is the password for?\nlogin\n",
        ),
        near=WORD,
    ),
    row(
        "a phrase that was asked for",
        r"pass ?phrase[^\n?]{0,60}\?[ \t]{0,2}\r?\n[ \t>]{0,4}[a-z]{2}",
        rf"\b(?:pass ?phrase|seed phrase|phrase de passe|passphrase)[^\n?]{{0,60}}\?[ \t]{{0,2}}\r?\n[ \t]*{_STAMP}{_SPEAKER}((?:[a-z]{{2,12}} ){{2,7}}[a-z]{{3,12}})[.!]?{ALONE}",
        ANYTHING,
        examples=("> what was the luks passphrase of nas3?\n«the slow green otter»\n> thx\n",),
        left=("what is a passphrase?\nA secret of words.\n", "which passphrase?\nask ann\n"),
    ),
    row(
        "a phrase in quotes",
        rf"{_PHRASES}[^\n]{{0,48}}[:=][ ]?(?:\xc2\xab|\xe2\x80[\x9c\x9e]|\")".replace(" ", "[ ]"),
        rf"{_PHRASES}[^\n:=]{{0,48}}[:=] ?(?:\xc2\xab(?:\xc2\xa0|\xe2\x80\xaf| )?|\xe2\x80[\x9c\x9e]|\")([a-z0-9\x80-\xff]{{2,24}}(?: [a-z0-9\x80-\xff]{{1,24}}){{2,9}})(?:\xc2\xa0|\xe2\x80\xaf| )?(?:\xc2\xbb|\xe2\x80[\x9c\x9d]|\")",
        ANYTHING,
        prose=True,
        examples=(
            'the passphrase of the backup: "«one small step for otters»"',
            "phrase de passe de la clé : “«trois loutres sur le quai»”",
        ),
        left=('passphrase: "%s is not valid here"', 'passphrase: "your passphrase"'),
    ),
    row(
        "asked for, then sent",
        r"\b(?:password|passwd|passphrase|pwd|pw|pass|passwort|kennwort|mdp|mot de passe|senha|wachtwoord)[ ]?(?:pls|please|bitte|again|stp)?[ \t.!]{0,2}\r?\n",
        rf"{_ASKS}{WORD}[^\n]{{0,10}}\r?\n{_ANSWER}",
        SHOWN,
        examples=(
            "joe: can you give me the router pwd\nann: one sec\nann: «b7Q#tz+44Lm»\n",
            "10:42 joe: schick mir mal das Passwort bitte\n10:43 ann: «harbour9032»\n",
        ),
        left=("joe: need a new password\nann: see TICKET-4412\n", "I forgot my password\nReset it\n"),
        near=_ASKS,
    ),
)

ASIDE = (
    row(
        "what to answer a prompt",
        r"\b(?:asks?|asked|asking|prompts?|prompted|wants)\b[^\n]{0,60}[ ,](?:answer|type|enter|say|put)[ ](?:in |it )?\S{6}",
        rf"\b(?:asks?|asked|asking|prompts?|prompted|wants)\b[^\n]{{0,60}}?[ ,](?:answer|type|enter|say|put) (?:in |it )?{_VALUE}(?:[\s.,;]|$)",
        TYPED,
        examples=(
            "when ssh asks you anything, type «harbour9032» and go on",
            "sudo prompts, just answer «b7Q#tz+44Lm».",
        ),
        left=("it asks twice, answer y2 or n2", "when it asks for a port, enter 8080 then", "if asked, say ok2 to it"),
    ),
    row(
        "a new one, in a line of a log",
        r"\b(?:rotat|chang|reset|updat|set)[a-z]{0,4}\b[^\n]{0,20}\bnew[ ](?:password|passwd|pwd|passphrase)[ ]\S{4}",
        rf"\b(?:rotat|chang|reset|updat|set)[a-z]{{0,4}}\b[^\n]{{0,20}}?\bnew (?:password|passwd|pwd|passphrase) ([^\s:=,;.()\"'\x60<>]{{5,64}}){ALONE}",
        TYPED,
        examples=("3f2a9c7 Rotate: new password «dandelion»\n", "reset it, new passphrase «b7Q#tz+44Lm»\n"),
        left=("set a new password field\n", "reset: new password required\n", "update the new password policy\n"),
    ),
    row(
        "a login and what it was",
        r"\b(?:login|logon|sign-in|creds?)\b[^\n.]{0,12}[,;:][ ](?:it|that|which)[ ](?:used to be|is now|is still|was)[ ]\S{6}",
        rf"\b(?:login|logon|sign-in|creds?)\b[^\n.]{{0,12}}[,;:] (?:it|that|which) (?:used to be|is now|is still|was) {_VALUE}(?:[\s.,;]|$)",
        SHOWN,
        examples=("who moved the shop login, it used to be «harbour9032» for us all",),
        left=("the login, it was slow", "about the login: it is now OAuth2"),
    ),
    row(
        "the answer to a secret question",
        r"\b(?:security|secret|recovery)[ ]question[^\n:]{0,60}(?::|\r?\n[ \t]{0,4}a(?:nswer)?[:=])[ ]\S{3}",
        r"\banswer\b[^\n:]{0,24}\b(?:security|secret|recovery) question[^\n:]{0,60}: ([^\n:,;]{3,40}?)[.]?[ \t]*(?:\r?\n|$)"
        r"|\b(?:security|secret|recovery) question[^\n]{0,60}\r?\n[ \t]{0,4}a(?:nswer)?[:=] ([^\n:,;]{3,40}?)[.]?[ \t]*(?:\r?\n|$)",
        ANYTHING,
        examples=(
            'The answer to my security question "first street": «Quince Row»\nregards',
            "Secret question: mother's name\nAnswer: «Wojciechowska»\n",
        ),
        left=("answer the security question: it is on page two, below", "security question\nanswer below\n"),
    ),
)

_LATIN = r"(?:password|passwd|passphrase|passcode|pwd|pw|passwort|kennwort|mot de passe|mdp|contrase\xc3\xb1a|senha|wachtwoord|l\xc3\xb6senord|passord|has\xc5\x82o|heslo|parola)"
_IS = r"(?:is|was|are|ist|lautet|est|es|\xc3\xa9|\xc3\xa8|\xc3\xa4r|er|to|je)"
_BREAK = r"[ \t]{0,4}\r?\n[>| \t]{0,6}"

BELOW = (
    row(
        "the other one",
        r"[;,.][ ](?:and )?the (?:other )?one (?:for|of) [^\n:;]{1,24}(?::| is) \S{16}".replace(" ", "[ ]"),
        r"\b(?:keys?|tokens?|secrets?|passwords?)\b[^\n]{1,160}[;,.] (?:and )?the (?:other )?one (?:for|of) [^\n:;]{1,24}(?::| is) ([A-Za-z0-9_-]{20,64})(?:[\s.,;]|$)",
        ANYTHING,
        examples=("The API key for mail is in the vault; the one for chat: «1f581a7c982437232112ebdde1fd8c77»",),
        left=(
            "The key for mail is here; the one for chat: ask-somebody",
            "one commit; the one for chat: 1f581a7c982437232112ebdde1fd8c77",
        ),
    ),
    row(
        "in a fence",
        r"[a-z\x80-\xff:][ \t]{0,4}\r?\n(?:[ \t]{0,4}\r?\n)?[ \t]{0,4}\x60\x60\x60[a-z]{0,10}\r?\n",
        rf"{WORD}[^\n]{{0,40}}\r?\n(?:[ \t]{{0,4}}\r?\n)?[ \t]{{0,4}}\x60\x60\x60[a-z]{{0,10}}\r?\n[ \t]{{0,4}}{_VALUE}{_BREAK}\x60\x60\x60",
        SHOWN,
        examples=(
            "the new password is:\n\x60\x60\x60\n«b7Q#tz+44Lm»\n\x60\x60\x60\nbye\n",
            "Hier das Kennwort\n\n\x60\x60\x60text\n«harbour9032»\n\x60\x60\x60\n",
        ),
        left=(
            "set the password:\n\x60\x60\x60\nopenssl rand 12\n\x60\x60\x60\n",
            "the password is hashed:\n\x60\x60\x60\nargon2id\n\x60\x60\x60\n",
        ),
        near=WORD,
    ),
    row(
        "on the next line of a sentence",
        rf"\b{_LATIN}[ ]{_IS}:?{_BREAK}\S{{4}}",
        rf"{_LATIN} {_IS}:?{_BREAK}{_VALUE}(?:[\s.,;]|$)",
        SHOWN,
        examples=(
            "The mail password is\n«b7Q#tz+44Lm» and the port is 993.",
            "> das Passwort lautet\n> «harbour9032»\n",
        ),
        left=("The password is\nhashed with sha256 now.", "the password is\nargon2id-hashed\n"),
    ),
    row(
        "with its verb on the next line",
        rf"\b{_LATIN}{_BREAK}{_IS}[ ]\S{{4}}",
        rf"{_LATIN}{_BREAK}{_IS} {_VALUE}(?:[\s.,;]|$)",
        SHOWN,
        examples=("> your vpn password\n> is «harbour9032»\n",),
        left=("the password\nis hashed2 with md5\n", "the password\nis 12 characters long\n"),
    ),
    row(
        "under its heading",
        rf"(?:^|\n)(?:#{{1,6}}|[*-])[ \t]{{1,4}}[^\n#]{{0,24}}{_LATIN}[ \t:]{{0,4}}\r?\n",
        rf"(?:^|\n)(?:#{{1,6}}|[*-])[ \t]{{1,4}}(?:[^\n#]{{0,24}} )?[*_]{{0,2}}{_LATIN}[*_]{{0,2}}[ \t:]{{0,4}}\r?\n(?:[ \t]{{0,4}}\r?\n)?[ \t]{{0,8}}\x60?{_VALUE}\x60?{ALONE}",
        SHOWN,
        examples=("## Password\n\n«harbour9032»\n\n## Port\n", "* Passwort\n  «b7Q#tz+44Lm»\n* Host\n"),
        left=("## Password\n\nargon2id\n", "## Reset password\n\nv2.1.0\n", "- password\n- user2024\n"),
    ),
    row(
        "is below",
        rf"\b{_LATIN}[^\n]{{0,16}}[ ](?:below|follows|following|unten|folgt|untenstehend|ci-dessous|suivant|abajo|siguiente|abaixo|sotto|seguente|hieronder)[^\n]{{0,10}}\r?\n",
        rf"{_LATIN}[^\n]{{0,16}} (?:below|follows|following|unten|folgt|untenstehend|ci-dessous|suivant|abajo|siguiente|abaixo|sotto|seguente|hieronder)[^\n]{{0,10}}\r?\n(?:[ \t]{{0,4}}\r?\n)?[ \t]{{0,4}}{_VALUE}{ALONE}",
        SHOWN,
        examples=("Your password is as follows:\n\n«b7Q#tz+44Lm»\n\nBye", "Das Passwort folgt unten\n«harbour9032»\n"),
        left=("The password rules are below\n\n12-character minimum\n",),
    ),
)

TALK = (*ANSWERS, *ASIDE, *BELOW, *LOGINS, *KEYPADS, *TELLING)
