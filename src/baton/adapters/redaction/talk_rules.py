# ruff: noqa: E501 (a pattern is easier to read in one line)
"""How people tell each other a password without saying `the password is`: rows like those of `carrier_rules`.

A value of a row with SHOWN looks like a password by itself; one with ANYTHING is digits, by the row's own pattern.
"""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import SHOWN, row
from baton.adapters.redaction.login_rules import LOGINS


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
_ALONE = r"[ \t]*(?:\r?\n|$)"
_STAMP = r"(?:\[[^\]\n]{1,24}\][ \t]*|[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[ap]m)?[ \t]*(?:-[ \t]*)?)?"
_SPEAKER = r"(?:>+[ \t]*|[-*][ \t]+|<[^\s<>][^\n<>]{0,23}>[ \t]+|[^\s:<>\[][^\n:<>\[]{0,23}:[ \t]+)?"
_SAYS = "(?:(?:{})[,:]?[ \\t]+){{0,3}}".format(
    _either(
        "it's,its,it is,it was,i think,should be,that's,that is,is,sure,yes,yep,ok,here,here you go,es ist,das ist,ist,ja,klar,hier,c'est,oui,voici,es,sí,é,sim,è,sì,ecco"
        ",het is,hier is,det är,det er,se on,to,tak,je to,ano,az,este,είναι,это,да,вот,це,так"
    )
)
_ANSWER = rf"(?:{_STAMP}{_SPEAKER}[^\n]{{0,24}}\r?\n)??[ \t]*{_STAMP}{_SPEAKER}{_SAYS}[\x60*]{{0,2}}{_VALUE}[\x60*]{{0,2}}{_ALONE}"

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

TALK = (*ANSWERS, *LOGINS)
