"""Fresh secrets in the formats vendors publish, the carriers they travel in and the disguises they wear.

Everything is made from a seed: no secret here was ever anybody's, and none is written down.
"""

from __future__ import annotations

import base64
import html
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

ALPHABETS = {
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_letters + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "l": string.ascii_lowercase,
    "3": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "p": string.ascii_letters + string.digits + "!#%^*_+.-",
}
_UUID = "<h8>-<h4>-<h4>-<h4>-<h12>"
_HOLE = re.compile(r"<([a-zA-Z0-9])([0-9]+)>")

FORMATS = {
    "aws-access-key": ("AKIA<U16>", "ASIA<U16>"),
    "gcp-api-key": ("AIza<w35>",),
    "google-oauth-secret": ("GOCSPX-<w28>",),
    "google-oauth-token": ("ya29.<w60>",),
    "azure-storage-key": ("<b86>==",),
    "alibaba-access-key": ("LTAI<A20>",),
    "digitalocean-token": ("dop_v1_<h64>", "doo_v1_<h64>"),
    "flyio-token": ("fo1_<w43>",),
    "vercel-token": ("vcp_<A56>",),
    "netlify-token": ("nfp_<A36>",),
    "supabase-token": ("sbp_<h40>",),
    "planetscale-token": ("pscale_tkn_<w43>",),
    "doppler-token": ("dp.pt.<A43>",),
    "vault-token": ("hvs.<w90>", "hvb.<w138>"),
    "terraform-token": ("<A14>.atlasv1.<w67>",),
    "pulumi-token": ("pul-<h40>",),
    "openshift-token": ("sha256~<w43>",),
    "tailscale-key": ("tskey-auth-<A12>-<A32>",),
    "github-token": ("ghp_<A36>", "gho_<A36>", "ghs_<A36>", "github_pat_<A22>_<A59>"),
    "gitlab-token": ("glpat-<w20>", "glrt-<w20>", "GR1348941<w20>"),
    "bitbucket-token": ("ATBB<A32>",),
    "atlassian-token": ("ATATT3<w180>=<U8>",),
    "sourcegraph-token": ("sgp_<h16>_<h40>",),
    "npm-token": ("npm_<A36>",),
    "pypi-token": ("pypi-AgEIcHlwaS5vcmc<w120>",),
    "rubygems-key": ("rubygems_<h48>",),
    "docker-token": ("dckr_pat_<w27>",),
    "artifactory-key": ("AKCp<A69>",),
    "circleci-token": ("CCIPAT_<A22>_<h40>",),
    "sonar-token": ("squ_<h40>",),
    "octopus-key": ("API-<U26>",),
    "postman-key": ("PMAK-<h24>-<h34>",),
    "airtable-token": ("pat<A14>.<h64>",),
    "notion-token": ("secret_<A43>", "ntn_<A46>"),
    "linear-key": ("lin_api_<A40>",),
    "figma-token": ("figd_<w40>",),
    "contentful-token": ("CFPAT-<w43>",),
    "openai-key": ("sk-<A20>T3BlbkFJ<A20>", "sk-proj-<w74>T3BlbkFJ<w74>"),
    "anthropic-key": ("sk-ant-api03-<w93>AA",),
    "openrouter-key": ("sk-or-v1-<h64>",),
    "huggingface-token": ("hf_<A34>",),
    "groq-key": ("gsk_<A52>",),
    "replicate-token": ("r8_<A37>",),
    "perplexity-key": ("pplx-<A48>",),
    "databricks-token": ("dapi<h32>",),
    "posthog-key": ("phc_<A43>",),
    "pinecone-key": ("pcsk_<A5>_<A63>",),
    "slack-token": ("xoxb-<d12>-<d13>-<A24>", "xoxp-<d12>-<d12>-<d13>-<h32>", "xapp-1-<U11>-<d13>-<h64>"),
    "slack-webhook": ("https://hooks.slack.com/services/T<U8>/B<U10>/<A24>",),
    "discord-token": ("M<A23>.<w6>.<w38>",),
    "discord-webhook": ("https://discord.com/api/webhooks/<d18>/<w68>",),
    "telegram-token": ("<d10>:AA<w33>",),
    "twilio-key": ("SK<h32>",),
    "sendgrid-key": ("SG.<w22>.<w43>",),
    "sendinblue-key": ("xkeysib-<h64>-<A16>",),
    "mailgun-key": ("key-<h32>",),
    "mailchimp-key": ("<h32>-us12",),
    "resend-key": ("re_<A8>_<A24>",),
    "stripe-key": ("sk_live_<A24>", "rk_test_<A24>"),
    "stripe-webhook-secret": ("whsec_<A32>",),
    "square-token": ("sq0atp-<w22>", "EAAA<w60>"),
    "paypal-token": ("access_token$production$<a16>$<h32>",),
    "plaid-token": (f"access-sandbox-{_UUID}",),
    "razorpay-key": ("rzp_live_<A14>",),
    "flutterwave-key": ("FLWSECK_TEST-<h32>-X",),
    "shopify-token": ("shpat_<h32>", "shpss_<h32>"),
    "shippo-token": ("shippo_live_<h40>",),
    "new-relic-key": ("NRAK-<U27>",),
    "sentry-token": ("sntrys_<b80>",),
    "grafana-token": ("glsa_<A32>_<h8>", "glc_<b60>"),
    "dynatrace-token": ("dt0c01.<U24>.<U64>",),
    "mapbox-token": ("pk.eyJ<A60>.<w22>",),
    "facebook-token": ("EAA<A120>",),
    "twitter-bearer-token": ("AAAAAAAAAAAAAAAAAAAAAA<A30>%3D<A46>",),
    "dropbox-token": ("sl.<w135>",),
    "salesforce-token": ("00D<A15>!<A96>",),
    "hubspot-token": (f"pat-na1-{_UUID}",),
    "okta-token": ("00<w40>",),
    "launchdarkly-key": (f"sdk-{_UUID}",),
    "age-secret-key": ("AGE-SECRET-KEY-1<q58>", "AGE-SECRET-KEY-PQ-1<q58>"),
    "json-web-token": ("eyJhbGciOiJIUzI1NiJ9.eyJ<w60>.<w43>",),
    "password-hash": ("$2y$10$<A53>", "$6$<A16>$<A86>", "$8$<A14>$<A43>", "$krb5asrep$23$<h32>$<h120>"),
    "linkedin-secret": ("WPL_AP1.<A16>.<b12>==",),
    "typeform-token": ("tfp_<w59>",),
    "duffel-token": ("duffel_live_<w43>",),
    "buildkite-token": ("bkua_<a40>",),
    "prefect-key": ("pnu_<a36>",),
    "readme-key": ("rdme_<a70>",),
    "clojars-token": ("CLOJARS_<h60>",),
    "nvidia-key": ("nvapi-<w64>",),
    "xai-key": ("xai-<A80>",),
    "langsmith-key": ("lsv2_pt_<h32>_<h10>",),
    "onepassword-key": ("A3-<U6>-<U11>-<U5>-<U5>-<U5>",),
    "yandex-key": ("AQVN<w36>",),
    "aws-appsync-key": ("da2-<a26>",),
    "aws-mws-key": (f"amzn.mws.{_UUID}",),
    "braintree-token": ("production_<a8>_<a16>",),
    "maxmind-key": ("<A6>_<A29>_mmk",),
    "easypost-key": ("EZAK<A54>",),
    "scaleway-key": ("SCW<U17>",),
    "infisical-token": ("st.<h24>.<h32>.<h32>",),
    "asana-token": ("1/<d16>:<h32>",),
    "fleetbase-key": ("flb_live_<A24>",),
    "scale-key": ("live_auth_<h32>",),
    "infracost-key": ("ico-<A32>",),
    "coderabbit-key": ("cr-<h58>",),
    "mergify-key": ("mergify_application_key_<A66>",),
    "scalingo-token": ("tk-us-<w48>",),
    "riot-key": (f"RGAPI-{_UUID}",),
    "authress-key": ("sc_<A23>.<a4>.acc-<a13>.<b64>",),
    "zoho-token": ("1000.<h32>.<h32>",),
    "zhipu-key": ("<h32>.<A16>",),
    "cursor-key": ("key_<h64>", "key_<h28>"),
    "azure-registry-key": ("<A42>+ACR<A6>",),
    "firefox-login": ("MDoEEPgAAAAAAAAAAAAAAAAAAAEwFAYIKoZIhvcNAwcE<b44>",),
    "settlemint-token": ("sm_pat_<A16>",),
    "intra42-secret": ("s-s4t2ud-<h64>",),
}
"""Tokens with a form of their own, by kind."""

SHAPES = ("<h32>", "<h40>", "<a24>", "<A32>", "<w40>", _UUID, "<A20>", "<h64>", "<p24>")
"""What keys look like that only a name beside them gives away."""

CARRIERS = {
    "prose": "Use {secret} for the staging deployment, it was rotated yesterday.",
    "env": "PORT=3000\nexport {NAME}={secret}\nDEBUG=1\n",
    "env-quoted": '{NAME}="{secret}"\n',
    "yaml": "service:\n  {name}: {secret}\n  retries: 3\n",
    "yaml-quoted": "service:\n  {name}: '{secret}'\n",
    "json": '{{"retries": 3, "{name}": "{secret}"}}',
    "shell": 'curl -s -H "X-Api-Key: {secret}" https://api.example.com/v1/items',
    "flag": "deploy --region eu --{flag} {secret} --wait",
    "query": "GET https://api.example.com/v1/items?limit=5&{name}={secret}&page=2",
    "header": "Authorization: Bearer {secret}\r\nAccept: */*\r\n",
    "diff": "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,2 @@\n-{name} = None\n+{name} = '{secret}'\n",
    "log": "2026-05-27T12:34:56Z DEBUG client configured {name}={secret} attempt=1",
    "go": 'var {camel} string = "{secret}"',
    "go-short": '{camel} := "{secret}"',
    "kotlin": 'val {camel}: String = "{secret}"',
    "php": "define('{NAME}', '{secret}');",
    "ruby": ":{name} => '{secret}',",
    "make": "{NAME} ?= {secret}",
    "xml": "<settings><{camel}>{secret}</{camel}></settings>",
    "xml-lines": "<{camel}>\n    {secret}\n</{camel}>",
    "xml-attribute": '<add key="{name}" value="{secret}" />',
    "pair": '{{"name": "{NAME}", "value": "{secret}"}}',
    "toml": '{name} = "{secret}"',
    "java": 'config.put("{name}", "{secret}");',
}
NEEDS_NO_NAME = ("prose",)


@dataclass(frozen=True, slots=True)
class Secret:
    kind: str
    value: str


def secret(form: str, dice: random.Random) -> str:
    """A secret of this form; a hole takes a capital, a small letter and a digit where its alphabet has them."""
    return _HOLE.sub(lambda hole: _filled(ALPHABETS[hole[1]], int(hole[2]), dice), form)


def tokens(seed: int) -> Iterator[Secret]:
    """One fresh secret of each form."""
    dice = random.Random(f"tokens {seed}")
    for kind, forms in FORMATS.items():
        for form in forms:
            yield Secret(kind, secret(form, dice))


def carried(carrier: str, held: str, name: str) -> str:
    """The secret in its carrier, under a name such as `acme_api_key`."""
    words = name.split("_")
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    named = {"name": name, "NAME": name.upper(), "camel": camel, "flag": name.replace("_", "-")}
    return CARRIERS[carrier].format(secret=held, **named)


def _filled(alphabet: str, length: int, dice: random.Random) -> str:
    classes = [string.ascii_lowercase, string.ascii_uppercase, string.digits]
    wanted = [shared for each in classes if (shared := sorted(set(each) & set(alphabet)))]
    while True:
        drawn = "".join(dice.choice(alphabet) for _ in range(length))
        if length < 8 or (
            all(set(drawn) & set(each) for each in wanted) and drawn[0].isalnum() and drawn[-1].isalnum()
        ):
            return drawn


def _wrapped(held: str) -> str:
    middle = len(held) // 2
    return f"{held[:middle]}\n    {held[middle:]}"


def _inside(held: str, filler: str) -> str:
    middle = len(held) // 2
    return f"{held[:middle]}{filler}{held[middle:]}"


DISGUISES: dict[str, Callable[[str], str]] = {
    "raw": lambda held: held,
    "quoted": lambda held: f'"{held}"',
    "url": lambda held: quote(held, safe=""),
    "json": lambda held: json.dumps({"v": held}),
    "json in json": lambda held: json.dumps(json.dumps({"v": held})),
    "html": lambda held: html.escape(f"<b>{held}</b>"),
    "base64": lambda held: base64.b64encode(held.encode()).decode(),
    "base64 within": lambda held: base64.b64encode(f"user:{held}@host".encode()).decode(),
    "base64url": lambda held: base64.urlsafe_b64encode(f"x{held}y".encode()).decode(),
    "hex": lambda held: held.encode().hex(),
    "wrapped": _wrapped,
    "terminal colours": lambda held: _inside(held, "\x1b[31m"),
    "zero width": lambda held: _inside(held, "\u200b"),
    "full width": lambda held: "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in held),
    "upper case": str.upper,
    "cut to 12": lambda held: held[:12],
    "reversed": lambda held: held[::-1],
}
"""What a known value may look like; of a value cut short only its first twelve characters are there to be found."""
