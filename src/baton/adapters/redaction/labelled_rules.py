# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Keys behind a word that says so, without an operator, of any vendor: `acme-SECRET-3f2a…`, `acme api key 3f2a…`; rows
like `carrier_rules`.

What stands there must look like a key by its length and its signs: names of things have such words before them, too.
"""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, KEYED, row

_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_HEX = r"[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{48}|[0-9a-f]{40}|[0-9a-f]{32,33}"
_ENDS = r"(?:[^A-Za-z0-9_/+=-]|$)"
_LOUD = r"(?-i:SECRET|PRIVATE|TOKEN|ACCESS|KEY)(?:[ _.-]?(?:key|token))?"
_QUIET = r"(?:(?:secret|private|access|api|auth)[ _.-]?(?:key|token)|secret|private|access)"

LABELLED = (
    row(
        "a key behind a word in capitals",
        r"(?:secret|private|token|access|key)[ \t_.:=-]{1,4}[a-z0-9][a-z0-9_-]{19}",
        rf"\b[a-z][\w.]{{1,40}}[ _.-]{{0,2}}{_LOUD}[ \t_.:=-]{{1,4}}((?:[a-z]{{2,3}}_)?[A-Za-z0-9]{{20,128}}|[A-Za-z0-9]{{4,12}}(?:-[A-Za-z0-9]{{4,12}}){{2,5}}){_ENDS}",
        KEYED,
        prose=True,
        examples=(
            "acmeSECRET-«7q2kd83hwl0v9xm4t6bn1r5c»",
            "acme TOKEN «9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c»",
            "acme PRIVATE TOKEN   «WQ7KD83HWL0V9XM4T6BN1R5C»",
            "acme-PRIVATE-«123e4567-e89b-12d3-a456-426614174000»",
            "acmeKEY=«12ab34cd56ef78gh90ij12kl34mn56»",
        ),
        left=(
            "TOKEN Authentication-required-20261119 is on",
            "SSH KEY SHA256:uNiVztksCsDhcc0u9e8BhrJXVGDpL7Xg0Fk2aPa8u2c",
            "PRIMARY KEY idx_customers_2026_archive_segment",
            "CACHE_KEY user-profile-settings-v2",
        ),
    ),
    row(
        "a key behind words for one",
        r"(?:secret|private|access|api|auth)[ _.-]?(?:key|token)?[ \t_.-]{1,4}(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-)",
        rf"\b[a-z][a-z0-9.]{{1,30}}[ _.-]?{_QUIET}[ \t_.-]{{1,4}}({_UUID}|{_HEX}){_ENDS}",
        KEYED,
        prose=True,
        examples=(
            "ac-apikey-«9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c»",
            "acme-secret-key-«123e4567-e89b-12d3-a456-426614174000»",
            "ac_secret_key-«9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c9f2c4e6a»",
        ),
        left=(
            "acme-token-controller-59c4d7f8-x2k9p",
            "public key 9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c is the fingerprint",
            "acme access 9f2c4e6a8b0d",
        ),
    ),
    row(
        "a key behind a dash",
        r"(?:token|secret|key)[ ]-{1,2}[ ][\"'\x60]?[a-z0-9][a-z0-9_-]{15}",
        rf"\b(?:token|secret|key) -{{1,2}} [\"'\x60]?((?:[a-z]{{2,4}}_)?[A-Za-z0-9_]{{16,128}}){_ENDS}",
        KEYED,
        prose=True,
        examples=("acme token - '«daf7b3d34b9787f1212316eea62ba186»'", "api key - «7q2kd83hwl0v9xm4t6bn1r5c»\n"),
        left=("the key - authentication_required - is on", "primary key - customers_2026_archive_x"),
    ),
    row(
        "a key in a row",
        r"(?:api[ _-]?key|token|secret|access[ _-]?key)[ ]{0,8}\|[ ]{0,8}[0-9a-f]{24}",
        rf"\b(?:api[ _-]?key|token|secret|access[ _-]?key) {{0,8}}\| {{0,8}}([0-9a-f]{{24,128}}){_ENDS}",
        KEYED,
        prose=True,
        examples=("apiKey |«e9e0f062f587b423bb6cc6328eb786d75b45783e»\n",),
        left=("token | integer | the length", "commit | e9e0f062f587b423bb6cc6328eb786d75b45783e"),
    ),
    row(
        "keys in a list",
        r"(?:tokens|api_?keys|secrets|access_?keys)[\"']?[ ]?[:=][ ]?\[\s{0,12}[\"'][0-9A-Za-z_-]{16}",
        r"(?:tokens|api_?keys|secrets|access_?keys)[\"']? ?[:=] ?\[\s{0,12}([\"'](?:[0-9a-f]{16,64}|[A-Za-z0-9_-]{20,64})[\"'](?:\s{0,12},\s{0,12}[\"'](?:[0-9a-f]{16,64}|[A-Za-z0-9_-]{20,64})[\"']){1,7})",
        ANYTHING,
        examples=('{"vin":"x","tokens":[«"6b6e59059375f282","09b1673648be8c08"»]}',),
        left=('tokens = ["the", "cat"]', 'secrets: ["production-database-credentials"]'),
    ),
    row(
        "keys below a word for them",
        r"\n[ ]{2,12}[\w.-]{1,40}:[ ][\"']?(?:[0-9a-f]{24}|[A-Za-z0-9]{20})",
        rf"\n[ ]{{2,12}}[\w.-]{{1,40}}: [\"']?([0-9a-f]{{24,128}}|[A-Za-z0-9]{{20,64}})[\"']?{ALONE}",
        KEYED,
        examples=("app_secrets:\n  dev: «fe562ec1e21eecc5af4d83f6a157a7»\n",),
        left=("commits:\n  dev: fe562ec1e21eecc5af4d83f6a157a7aabbccddee\n",),
        near=r"(?:secrets|tokens|api_keys|passwords|credentials)[\"']?:[ \t]*\n",
    ),
    row(
        "a token on a line below",
        r"\b(?:token|api[ ]?key|secret|access[ ]key)\b[^\n=:]{0,100}\r?\n[ \t>]{0,4}[0-9A-Za-z_-]{24}",
        rf"\b(?:token|api ?key|secret|access key)\b[^\n=:]{{0,100}}\r?\n[ \t>]{{0,4}}([0-9A-Za-z_-]{{24,128}}){ALONE}",
        KEYED,
        prose=True,
        examples=(
            "you asked for a token. this is what the page shows me\n«d41b7c90e2fa4436b8a0155c9e7fd2ab»\nit is called laptop\n",
        ),
        left=("the token is checked\n9f2c4e6a8b0d\n", "the secret is called\nprod-payments-webhook-secret-v2\n"),
    ),
)
