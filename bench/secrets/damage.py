# ruff: noqa: E501, SIM905 (lines of files)
"""Files that hold hashes, ids and public keys and no secret: not one byte of them may change.

Made from a seed, with the names of vendors as packages, images and buckets: those names are what rules listen to.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

VENDORS = (
    "airtable algolia asana aws azure bitbucket braintree circleci cloudflare codecov contentful datadog discord docker"
    " dropbox elastic etsy facebook fastly finnhub github gitlab google grafana hashicorp heroku hubspot intercom jenkins"
    " jfrog jira kraken kucoin launchdarkly linear linkedin mailchimp mailgun mapbox mattermost messagebird mongo netlify"
    " newrelic npm nytimes okta openai plaid postman pulumi rapidapi sendgrid sentry shopify slack snyk sonar square"
    " squarespace stripe sumologic telegram travis trello twilio twitch twitter vault vercel yandex zendesk"
).split()


def hexadecimal(dice: random.Random, size: int) -> str:
    return dice.randbytes(size).hex()


def encoded(dice: random.Random, size: int) -> str:
    return base64.b64encode(dice.randbytes(size)).decode()


def uuid(dice: random.Random) -> str:
    return "-".join(dice.randbytes(size).hex() for size in (4, 2, 2, 2, 6))


def package(dice: random.Random) -> str:
    ends = ("-go", "-sdk", "", "-client", "-auth", "-token", "-key", "-secret", "-api")
    return f"{dice.choice(VENDORS)}{dice.choice(ends)}"


def version(dice: random.Random) -> str:
    return ".".join(str(dice.randrange(30)) for _ in range(3))


def go_sum(dice: random.Random) -> str:
    lines: list[str] = []
    for _ in range(250):
        name, number = f"github.com/{dice.choice(VENDORS)}/{package(dice)}", version(dice)
        lines += (f"{name} v{number} h1:{encoded(dice, 32)}", f"{name} v{number}/go.mod h1:{encoded(dice, 32)}")
    return "\n".join(lines) + "\n"


def cargo_lock(dice: random.Random) -> str:
    source = 'source = "registry+https://github.com/rust-lang/crates.io-index"'
    return "".join(
        f'[[package]]\nname = "{package(dice)}"\nversion = "{version(dice)}"\n{source}\n'
        f'checksum = "{hexadecimal(dice, 32)}"\ndependencies = [\n "{package(dice)}",\n]\n\n'
        for _ in range(250)
    )


def package_lock(dice: random.Random) -> str:
    held = {}
    for _ in range(250):
        name = f"@{dice.choice(VENDORS)}/{package(dice)}"
        address = f"https://registry.example.org/{name}/-/{package(dice)}-{version(dice)}.tgz"
        held[f"node_modules/{name}"] = {
            "version": version(dice),
            "resolved": address,
            "integrity": f"sha512-{encoded(dice, 64)}",
            "dependencies": {package(dice): f"^{version(dice)}"},
        }
    return json.dumps({"name": "shop", "lockfileVersion": 3, "packages": held}, indent=2)


def pnpm_lock(dice: random.Random) -> str:
    return "packages:\n\n" + "".join(
        f"  '@{dice.choice(VENDORS)}/{package(dice)}@{version(dice)}':\n"
        f"    resolution: {{integrity: sha512-{encoded(dice, 64)}}}\n    engines: {{node: '>=14'}}\n\n"
        for _ in range(250)
    )


def yarn_lock(dice: random.Random) -> str:
    return "".join(
        f'"@{dice.choice(VENDORS)}/{package(dice)}@^{version(dice)}":\n  version "{version(dice)}"\n'
        f'  resolved "https://registry.example.org/{package(dice)}.tgz#{hexadecimal(dice, 20)}"\n'
        f"  integrity sha512-{encoded(dice, 64)}\n\n"
        for _ in range(250)
    )


def poetry_lock(dice: random.Random) -> str:
    return "".join(
        f'[[package]]\nname = "{package(dice)}"\nversion = "{version(dice)}"\nfiles = [\n'
        + "".join(
            f'    {{file = "{package(dice)}-{version(dice)}-py3-none-any.whl", hash = "sha256:{hexadecimal(dice, 32)}"}},\n'
            for _ in range(3)
        )
        + "]\n\n"
        for _ in range(120)
    )


def certificates(dice: random.Random) -> str:
    return "".join(
        f"subject=CN = {package(dice)}.example.net\n-----BEGIN {kind}-----\n{_lines(dice, size)}\n-----END {kind}-----\n"
        for kind, size in (("CERTIFICATE", 900), ("PUBLIC KEY", 270), ("PGP PUBLIC KEY BLOCK", 1200), ("X509 CRL", 700))
        * 12
    )


def _lines(dice: random.Random, size: int) -> str:
    whole = encoded(dice, size)
    return "\n".join(whole[at : at + 64] for at in range(0, len(whole), 64))


def known_hosts(dice: random.Random) -> str:
    return "".join(
        f"{package(dice)}.example.net,10.0.0.{number} ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB{encoded(dice, 260)}\n"
        f"|1|{encoded(dice, 20)}|{encoded(dice, 20)} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{encoded(dice, 33)}\n"
        f"256 SHA256:{encoded(dice, 32)[:43]} root@{package(dice)} (ED25519)\n"
        for number in range(60)
    )


def github_api(dice: random.Random) -> str:
    letters = string.ascii_letters + string.digits
    draw = lambda size: "".join(dice.choices(letters, k=size))  # noqa: E731
    return json.dumps(
        [
            {
                "id": dice.randrange(10**9),
                "node_id": dice.choice((f"R_kgDO{draw(8)}", f"MDEwOlJlcG9zaXRvcnk{draw(10)}==", f"PR_kwDO{draw(14)}")),
                "name": package(dice),
                "full_name": f"{dice.choice(VENDORS)}/{package(dice)}",
                "license": {
                    "key": dice.choice(("mit", "apache-2.0", "bsd-3-clause")),
                    "node_id": f"MDc6TGljZW5z{draw(4)}",
                },
                "head": {"sha": hexadecimal(dice, 20), "ref": f"{package(dice)}/{version(dice)}"},
                "url": f"https://api.github.com/repos/{dice.choice(VENDORS)}/{package(dice)}/git/blobs/{hexadecimal(dice, 20)}",
                "temp_clone_token": "",
                "etag": f'W/"{hexadecimal(dice, 32)}"',
                "request_id": f"{draw(4)}:{draw(5)}:{hexadecimal(dice, 4)}",
                "check_suite": {"id": dice.randrange(10**11), "head_sha": hexadecimal(dice, 20)},
            }
            for _ in range(120)
        ],
        indent=2,
    )


def kubectl_describe(dice: random.Random) -> str:
    return "".join(
        f"Name:             {package(dice)}-{hexadecimal(dice, 5)}-x7k2p\nNamespace:        {dice.choice(VENDORS)}\n"
        f"Service Account:  {package(dice)}\nUID:              {uuid(dice)}\n"
        f"    Container ID:   containerd://{hexadecimal(dice, 32)}\n"
        f"    Image:          docker.io/{dice.choice(VENDORS)}/{package(dice)}:{version(dice)}\n"
        f"    Image ID:       docker.io/{dice.choice(VENDORS)}/{package(dice)}@sha256:{hexadecimal(dice, 32)}\n"
        f"    Environment:\n      DB_PASSWORD:  <set to the key 'password' in secret '{package(dice)}'>  Optional: false\n"
        f"      AWS_ROLE_ARN:   arn:aws:iam::{dice.randrange(10**11, 10**12)}:role/{package(dice)}\n"
        f"    Mounts:\n      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-{hexadecimal(dice, 3)[:5]} (ro)\n"
        f"  token-vol:\n    Type:        Secret (a volume populated by a Secret)\n    SecretName:  {package(dice)}-token-x7k2p\n"
        for _ in range(60)
    )


def terraform_state(dice: random.Random) -> str:
    return json.dumps(
        {
            "version": 4,
            "serial": 12,
            "lineage": uuid(dice),
            "resources": [
                {
                    "type": "aws_instance",
                    "name": package(dice),
                    "instances": [
                        {
                            "attributes": {
                                "id": f"i-{hexadecimal(dice, 9)[:17]}",
                                "arn": f"arn:aws:ec2:eu-west-1:{dice.randrange(10**11, 10**12)}:instance/i-{hexadecimal(dice, 9)[:17]}",
                                "ami": f"ami-{hexadecimal(dice, 9)[:17]}",
                                "key_name": package(dice),
                                "kms_key_id": f"arn:aws:kms:eu-west-1:{dice.randrange(10**11, 10**12)}:key/{uuid(dice)}",
                                "security_groups": [f"sg-{hexadecimal(dice, 9)[:17]}"],
                                "subnet_id": f"subnet-{hexadecimal(dice, 9)[:17]}",
                                "etag": hexadecimal(dice, 16),
                                "unique_id": f"AROA{''.join(dice.choices(string.ascii_uppercase + '234567', k=17))}",
                                "tenantId": uuid(dice),
                                "clientRequestId": uuid(dice),
                            },
                            "private": "bnVsbA==",
                        }
                    ],
                }
                for _ in range(60)
            ],
        },
        indent=2,
    )


def agent_log(dice: random.Random) -> str:
    letters = string.ascii_letters + string.digits
    draw = lambda size: "".join(dice.choices(letters, k=size))  # noqa: E731
    return "".join(
        json.dumps(
            {
                "parentUuid": uuid(dice),
                "sessionId": uuid(dice),
                "uuid": uuid(dice),
                "requestId": f"req_01{draw(22)}",
                "message": {"id": f"msg_01{draw(22)}", "content": [{"type": "tool_use", "id": f"toolu_01{draw(22)}"}]},
                "call_id": f"call_{draw(24)}",
                "response_id": f"resp_{hexadecimal(dice, 24)}",
                "signature": "",
                "turn_id": uuid(dice),
                "thread": f"ses_{draw(26)}",
            }
        )
        + "\n"
        for _ in range(120)
    )


FILES: dict[str, Callable[[random.Random], str]] = {
    "go.sum": go_sum,
    "Cargo.lock": cargo_lock,
    "package-lock.json": package_lock,
    "pnpm-lock.yaml": pnpm_lock,
    "yarn.lock": yarn_lock,
    "poetry.lock": poetry_lock,
    "certificates": certificates,
    "known_hosts": known_hosts,
    "gh api": github_api,
    "kubectl describe": kubectl_describe,
    "terraform state": terraform_state,
    "agents' logs": agent_log,
}
