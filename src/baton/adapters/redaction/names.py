"""What a name says about the value beside it: a password, a token, something that may be one, or nothing."""

from __future__ import annotations

from functools import lru_cache

from baton.adapters.redaction.expression import Expression

PASSWORD, TOKEN, WEAK = range(3)
"""Passwords may be words, tokens look random, weak names need a value that looks like a secret by itself."""

FOREIGN = "|".join(
    "".join(f"\\x{byte:02x}" for byte in word.encode())
    for word in ("пароль", "비밀번호", "비번", "암호", "패스워드", "密码", "密碼", "口令", "パスワード")
)
"""Words for a password in other scripts, byte by byte."""
STEMS = (
    r"pass|pwd|pword|psw|pw|psk|mnemonic|contrase|senha|kennwort|wachtwoord|heslo|haslo|lozink|losenord|salasana|jelszo|mdp|sifre",
    FOREIGN,
    "secret|token",
    "key",
    r"auth(?:\b|[^o]|oriz)|cred|bearer|jwt",
    "conn.?str|connection.?string|dsn|cookie|otp|hook",
    "seed|salt|sign|nonce|cert|login|sig|sid|access",
    "client.?id|app.?id|session.?id|sessid",
    "pepper",
)
"""What a name must contain, in a form that is quick to search for; what it means is decided later."""
_NO_PASSWORD = Expression(
    r"(?i)bypass|compass|surpass|trespass|passi[nv]|passenger|passage|passed|passes|passthr|passport|passlib|passwordless"
    r"|pass_(?:through|fds?|along|down|on|args|kwargs|context|obj|filenames|env|zero|depth|bools|index|count|rate)"
    r"|(?:band|low|high|all|any|multi|render|stencil|shadow|depth|lighting|sub|op_?z)[_ -]?pass(?:$|[^a-z])"
    r"|(?:first|second|third|each|every|single|one|two|final)[_ -]?pass(?:$|[^a-z])"
)
_PASSWORDS = (
    r"passw(?:or)?d|passwd|passwrd|pas(?:s?wo?rd|swrod|sowrd)|passwort|passphrase|pass[_-]?code|pass(?:$|[^A-Za-z]|(?-i:[A-Z]))|(?-i:Pass(?:$|[^a-z]))|pwd|(?:\b|_)(?:pword|psw(?:o?r?d)?(?:$|[^a-z]))|(?:\b|_)(?:pw|psk)$"
    r"|mot_?de_?passe|(?:\b|_)(?:wachtwoord|heslo|haslo|lozinka|losenord|passord|salasana|jelszo|mdp|sifre)$"
    rf"|contrase|senha|kennwort|{FOREIGN}|mnemonic|seed.?phrase|secrets?$|secret_?string"
)
_TOKENS = (
    r"token|secret|(?:^|[_.-])pepper$|authtok$|(?:^|[_-])(?:git|gh|github|ghe|gitlab|bitbucket|azure|devops|ado)[_-]?pat$|\bcred$|(?:api|app|access|private|priv|client|encryption|signing|master|shared|account|storage|session|license"
    r"|service|admin|application|auth|consumer|deploy|webhook|integration|subscription|server|write|read|rest|security"
    r"|primary|secondary|instance|ssh|pgp|gpg|rsa|aes|hmac|jwt|crypto|cipher|user|db|root|secure|aws|azure|gcp)"
    r"[_. -]?key"
    r"|key[_. -]?(?:value|secret)|credentials?|bearer|jwt|authorization|auth[_-]?token|\bauth$|_auth$"
    r"|connection[_. -]?string|conn[_-]?str|\bdsn\b|cookie|\b_?t?otp(?:$|[^A-Za-z])|webhook|\bsid$|sess(?:ion)?_?id"
    r"|client[_. -]?id|app[_. -]?id"
)
_OTHER_KEYS = Expression(
    r"(?i)(?:cache|primary|foreign|idempoten\w*|object|partition|sort|row|group|unique|dedupe?|lookup|index|s3|file|commit"
    r"|trace|conversation|message|request|correlation|map|dict|json|data|registry|hot|foreign|composite|natural|public"
    r"|event|log|state|store|item|entry|field|config|setting|resource|routing|shard|merge|order|the|a|by|with)"
    r"[_. -]?keys?$"
)
_REFERENCE = Expression(
    r"(?i)existing[_-]?secrets?$|secret[_-]?(?:name|ref|class)s?$|secret[_-]?key[_-]?ref$"
    r"|public[_. -]?(?:key[_. -]?)?(?:key|token)$"
)
_NO_SECRET = Expression(
    r"(?i)tokeni[sz]\w*$|key(?:ing|board|word|stroke|frame|pad)s?$|^key_?stone$|credentials?[_-]?ids?$|cert\w*[_-]?identifier$|accessor$|key[_-]?pair[_-]?id$|allow[_-]?credentials$|(?:input|element|field)[_-]?ref$"
)
"""What cuts a text into tokens, which credential is meant, an element of a page."""
_WHERE = Expression(
    r"(?i)(?:^|[a-z0-9_.-])to[_.-]?(?:store|keep|hold|save)[_.-]?(?:the[_.-]?)?(?:secret|key|token|credential|password)s?$"
    r"|(?:secret|token|credential|password)s[_-]?(?:in|into|at|from|to)$"
)
_WEAKS = (
    r"(?:^|[^A-Za-z])(?i:keys?|auth|access|seed|salt|sign|signature|nonce|cert|login|sig|creds?)(?:$|[^A-Za-z]|[A-Z])"
    r"|(?:Key|Auth|Access|Seed|Salt|Signature|Nonce|Cert|Login|Sig|Cred)(?:$|[^a-z])|[a-z]key$|[A-Z]KEY$"
)
_NAMED_KEY = Expression(r"[A-Za-z0-9][_.-](?i:key)$|[a-z]Key$")
_STRENGTHS = (
    (PASSWORD, Expression(rf"(?i){_PASSWORDS}")),
    (TOKEN, Expression(rf"(?i){_TOKENS}")),
    (WEAK, Expression(_WEAKS)),
)


@lru_cache(maxsize=4096)
def strength_of(name: bytes) -> int | None:
    """`PASSWORD`, `TOKEN` or `WEAK`; None for a name that only looks like one, such as `monkey`."""
    if _NO_SECRET.search(name) or says_where(name):
        return None
    if _OTHER_KEYS.search(name) or _REFERENCE.search(name):
        return WEAK
    if _NAMED_KEY.search(name):
        return TOKEN
    for strength, expression in _STRENGTHS:
        if expression.search(name) and not (strength == PASSWORD and _NO_PASSWORD.search(name)):
            return strength
    return None


def says_where(name: bytes) -> bool:
    """Whether it names the place where secrets are kept: `keyVaultToStoreSecrets`, `readSecretsFrom`."""
    return _WHERE.search(name) is not None


_ADVICE = Expression(r"(?i)(?:not|dont|never|no)[_-]commit$")


def says_not_to_commit(name: bytes) -> bool:
    """Whether it ends with what to do with the value, not with what it is: `token_do_not_commit`."""
    return _ADVICE.search(name) is not None


def last_word(name: bytes) -> bytes:
    """The last word of `apiKeyName` or `token_url`, which says what the value really is."""
    start = end = len(name.rstrip(b"_"))
    while start > 0 and name[start - 1 : start].isalnum():
        start -= 1
        if name[start : start + 1].isupper() and start > 0 and name[start - 1 : start].islower():
            break
    return name[start:end]
