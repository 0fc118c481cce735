"""The media endpoints of the Graph API, from Meta's published description."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from aiohttp import web

from tests.support.platforms.whatsapp.rules import TAKEN


@dataclass(frozen=True)
class Kept:
    name: str
    kind: str
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


class Media:
    """`elsewhere` makes it say that files are on another host."""

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}
        self.violations: list[str] = []
        self.elsewhere = ""

    def keep(self, name: str, kind: str, data: bytes) -> str:
        ident = str(1003383421387256 + len(self.kept))
        self.kept[ident] = Kept(name, kind, data)
        return ident

    async def upload(self, request: web.Request) -> web.Response:
        if request.content_type != "multipart/form-data":
            self.violations.append(f"media: uploaded as {request.content_type}")
            return graph_error(400, 100, "Invalid parameter")
        form = await request.post()
        file = form.get("file")
        if form.get("messaging_product") != "whatsapp" or not isinstance(file, web.FileField):
            self.violations.append(f"media: the form has {sorted(form)}")
            return graph_error(400, 100, "Invalid parameter")
        kind = str(form.get("type", file.content_type))
        if kind not in TAKEN or file.content_type != kind:
            return graph_error(400, 100, f"Param file must be a file with one of the following types, not {kind}")
        return web.json_response({"id": self.keep(file.filename, kind, file.file.read())})

    async def about(self, request: web.Request) -> web.Response:
        ident = request.match_info["id"]
        if ident not in self.kept:
            return graph_error(400, 100, "Unsupported get request. Object does not exist")
        found, here = self.kept[ident], f"{request.url.origin()}/media-files/{ident}"
        return web.json_response(
            {
                "messaging_product": "whatsapp",
                "url": self.elsewhere or here,
                "mime_type": found.kind,
                "sha256": found.sha256,
                "file_size": str(len(found.data)),
                "id": ident,
            }
        )

    async def download(self, request: web.Request) -> web.Response:
        found = self.kept[request.match_info["id"]]
        return web.Response(body=found.data, content_type=found.kind)


def graph_error(status: int, code: int, message: str, **headers: str) -> web.Response:
    error = {"message": f"(#{code}) {message}", "type": "OAuthException", "code": code, "fbtrace_id": "Az8or2yhqkZ"}
    return web.json_response({"error": error}, status=status, headers=headers)
