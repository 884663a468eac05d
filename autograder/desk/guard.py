"""Who may speak to the desk: a token in the address, then a cookie; no other host, origin or form."""

from __future__ import annotations

import hmac
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

COOKIE = "desk"
HEADERS = {
    # Everything comes from this server, nothing runs that stands in a page, and nobody may put us in a frame.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass
class BrowserSession:
    """One browser at the desk."""

    marker: str
    hide_names: bool = False
    told: str = ""  # a sentence for the next page
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))


@dataclass
class Guard:
    """Decides on every request before anything is read or written.

    A cookie is sent to every port of this machine, and another user may be listening on one. So ours goes
    only below a path that is as secret as the token.
    """

    marker: str
    port: int = 0
    path: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    sessions: dict[str, BrowserSession] = field(default_factory=dict)

    @property
    def root(self) -> str:
        return f"/{self.path}/"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.root}?token={self.token}"

    @property
    def _hosts(self) -> frozenset[str]:
        return frozenset(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost"))

    def enter(self, token: str) -> str | None:
        """A new session for whoever has the token: the cookie's value."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return None
        cookie = secrets.token_urlsafe(24)
        self.sessions[_digest(cookie)] = BrowserSession(self.marker)
        return cookie

    def session(self, cookie: str | None) -> BrowserSession | None:
        return self.sessions.get(_digest(cookie)) if cookie else None

    def refusal(self, method: str, headers: Mapping[str, str]) -> str:
        """Why a request is refused by where it comes from; empty where it is not."""
        host = headers.get("Host", "")
        if host not in self._hosts:
            return "this address is not the desk's: open it by the address that the terminal shows"
        site = headers.get("Sec-Fetch-Site", "same-origin")
        if method not in ("GET", "HEAD"):
            if headers.get("Origin", "") != f"http://{host}" or site != "same-origin":
                return "another page has sent this: marks are given on the desk's own pages alone"
        elif site == "cross-site" and headers.get("Sec-Fetch-Dest", "document") != "document":
            return "another page has asked for this: the desk's pages are opened by themselves"
        return ""

    def is_own_form(self, session: BrowserSession, csrf: str) -> bool:
        return hmac.compare_digest(csrf.encode(), session.csrf.encode())


def open_to_others(folder: Path) -> str:
    """What to do where other users of the machine can read the marks without asking the desk; or nothing."""
    if not folder.stat().st_mode & stat.S_IRWXO:
        return ""
    return f"every user of this machine can read {folder}: chmod o-rwx {folder} keeps the marks to you"


def _digest(cookie: str) -> str:
    """Looked up by its digest: the time that takes tells nothing of the cookie."""
    return sha256(cookie.encode()).hexdigest()
