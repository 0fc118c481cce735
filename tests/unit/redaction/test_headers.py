# ruff: noqa: E501 (an example is easier to read in one line)
"""Ids of requests, tags of answers, boundaries and signatures of mail stay; what lets somebody in goes beside them."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.ports.redactor import Redactor

DICE = random.Random(12)
ID = "".join(DICE.choices(string.ascii_letters + string.digits, k=32))
SUM = base64.b64encode(DICE.randbytes(57)).decode()
LATER = base64.b64encode(DICE.randbytes(57)).decode()
PART = "----WebKitFormBoundary" + ID[:16]
SIGNED = (
    f"v=1; a=rsa-sha256; c=relaxed/relaxed; s=heron; d=shop.example; h=From:Subject; bh={SUM[:27]}=; b={SUM} {LATER}"
)
OLD = f"a=rsa-sha1; c=nofws; q=dns; s=heron; d=papertrailapp.com; b={SUM} {LATER};"
LEFT = (
    f"x-amz-request-id:\n      - {ID}\n",
    f"    x-amz-id-2:\n    - {SUM}\n    Date:\n    - now\n",
    f'  ETag:\n  - W/"60ca-{ID[:27]}"\n',
    f"Etag: ['W/\"{ID}\"']",
    f"amz-sdk-invocation-id:\n- !!binary |\n  {ID}\n",
    f'Content-Type: multipart/alternative; boundary="_av-{ID[:22]}"\n',
    f"Content-Type: multipart/form-data; boundary={PART}\n\n--{PART}\nContent-Disposition: form-data\n\n1\n--{PART}--\n",
    f"Content-Type: multipart/mixed; boundary={ID}\n\n--{ID}\nContent-Type: text/plain\n\nhi\n--{ID}--\n",
    f'"Dkim-Signature": "{SIGNED}",\n',
    f'"Domainkey-Signature": "{OLD}",\n',
    f"DKIM-Signature: {SIGNED.replace(' b=', chr(10) + ' b=')}\n",
)
GOES = (
    f"Authorization:\n      - Bearer {ID}\n",
    f"x-shop-session-token:\n      - {ID}\n",
    f"X-Api-Key: ['{ID}']",
    f'Content-Type: text/plain; token="{ID}"\n',
    f"Content-Type: multipart/mixed; boundary=frontier\n\n--frontier\ntoken: {ID}\n--frontier--\n",
)


@pytest.mark.parametrize("text", LEFT)
def test_what_everybody_may_see_of_a_message_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("text", GOES)
def test_what_lets_somebody_in_goes(redactor: Redactor, text: str) -> None:
    assert ID not in redactor.redact(text).text
