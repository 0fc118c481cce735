"""Kubernetes secrets: the values below `data` go, and what says which secret it is stays."""

from __future__ import annotations

import json

import pytest

from baton.adapters.redaction.manifests import KIND
from baton.adapters.redaction.span import UNREAD
from baton.adapters.redaction.thresholds import MOST_FINDS
from baton.ports.redactor import Redacted, Redactor

KEPT = ["shop-db-credentials", "production", "shop-frontend", "keep-this-note"]
METADATA = (
    "metadata:\n  name: shop-db-credentials\n  namespace: production\n"
    "  labels:\n    app.kubernetes.io/name: shop-frontend\n  annotations:\n    note: keep-this-note\n"
)
DATA = "data:\n  username: c2hvcC1hZG1pbg==\n  short: YWI=\n  colour: Ymx1ZS1ncmVlbg==\n"
VALUES = ("c2hvcC1hZG1pbg", "YWI=", "Ymx1ZS1ncmVlbg")
YAML = {
    "data last": f"apiVersion: v1\nkind: Secret\n{METADATA}type: Opaque\n{DATA}",
    "data first": f"apiVersion: v1\n{DATA}kind: Secret\n{METADATA}type: Opaque\n",
    "among others": f"kind: ConfigMap\ndata:\n  shade: plain-blue-shade\n---\n{DATA}kind: Secret\n{METADATA}",
}
OBJECT = {
    "apiVersion": "v1",
    "data": {"username": "c2hvcC1hZG1pbg==", "short": "YWI=", "colour": "Ymx1ZS1ncmVlbg=="},
    "kind": "Secret",
    "metadata": {
        "name": "shop-db-credentials",
        "namespace": "production",
        "labels": {"app": "shop-frontend"},
        "annotations": {"note": "keep-this-note"},
    },
}
JSON = {
    "one line": json.dumps(OBJECT),
    "indented": json.dumps(OBJECT, indent=2),
    "in a list": json.dumps(
        {"kind": "List", "items": [OBJECT, {"kind": "ConfigMap", "data": {"a": "plain-blue-shade"}}]}
    ),
}


@pytest.mark.parametrize("manifest", [*YAML.values(), *JSON.values()], ids=[*YAML, *JSON])
def test_a_secret_loses_its_values_and_keeps_its_metadata(redactor: Redactor, manifest: str) -> None:
    shown = redactor.redact(manifest).text
    assert [value for value in VALUES if value in shown] == []
    assert [word for word in KEPT if word not in shown] == []
    assert ("plain-blue-shade" in manifest) == ("plain-blue-shade" in shown)
    assert redactor.redact(shown) == Redacted(shown)
    if manifest.startswith("{"):
        assert json.loads(shown)["kind"] in ("Secret", "List")


def test_a_secret_with_very_many_values_loses_all_of_them_and_keeps_their_names(redactor: Redactor) -> None:
    count = MOST_FINDS + 50
    lines = "".join(f"  name{number}: Zz{number:06d}qX==\n" for number in range(count))
    redacted = redactor.redact(f"kind: Secret\ndata:\n{lines}")
    assert "qX" not in redacted.text
    assert redacted.text.count("name") == count
    assert {found.kind: found.count for found in redacted.found} == {KIND: MOST_FINDS, UNREAD: 50}


def test_every_secret_of_a_list_loses_its_values(redactor: Redactor) -> None:
    item = "- apiVersion: v1\n  data:\n    one: {}\n  kind: Secret\n  metadata:\n    name: name-of-{}\n"
    plain = "- apiVersion: v1\n  data:\n    colour: bluebluegreen\n  kind: ConfigMap\n"
    values = ["bW9yZW1vcmVtb3Jl", "c2hvcC1hZG1pbg==", "Ymx1ZS1ncmVlbg=="]
    text = (
        "items:\n" + "".join(item.format(value, number) for number, value in enumerate(values)) + plain + "kind: List\n"
    )
    shown = redactor.redact(text).text
    assert [value for value in values if value in shown] == []
    assert [f"name-of-{number}" in shown for number in range(3)] == [True] * 3
    assert plain in shown


def test_values_over_several_lines_go_whole(redactor: Redactor) -> None:
    text = (
        "kind: Secret\nmetadata:\n  name: mine\nstringData:\n  config: |\n    host: inside\n\n    shade: plum\n"
        "  pin: '4821'\n  url: postgres://db/shop\ntype: Opaque\n"
    )
    cut = "[redacted: kubernetes-secret]"
    assert redactor.redact(text).text == (
        f"kind: Secret\nmetadata:\n  name: mine\nstringData:\n  config: |\n    {cut}\n  pin: '{cut}'\n  url: {cut}\n"
        "type: Opaque\n"
    )


def test_a_secret_is_read_to_its_end_however_long_it_is(redactor: Redactor) -> None:
    entries = "".join(f"  file{number}: {'QUJDREVG' * 400}\n" for number in range(8))
    shown = redactor.redact(f"kind: Secret\nmetadata:\n  name: mine\ndata:\n{entries}  last: c3VuZmxvd2Vy\n").text
    assert "c3VuZmxvd2Vy" not in shown
    assert "  name: mine\n" in shown
