"""Nobody without the token, no other host, page or form, and no student's text gets anything done at the desk."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest

from autograder.desk.guard import open_to_others
from tests.desk.conftest import CLASS

WHY = "read/basics/scores/why"


def test_whoever_has_the_token_gets_a_cookie_and_an_address_without_it(desk):
    answer = desk.visitor().fetch(f"?token={desk.guard.token}")
    assert answer.headers["Location"] == desk.guard.root
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert f"Path={desk.guard.root}" in cookie  # other ports of this machine never see it


@pytest.mark.parametrize(
    "path", ["", WHY, "desk.js", "style.css", "?token=guess", "rubric/basics/scores/why"]
)
def test_without_the_token_nothing_is_told(desk, path):
    answer = desk.visitor().fetch(path)
    assert answer.code == 403
    assert b"Weights" not in answer.body
    assert "Set-Cookie" not in answer.headers


def test_a_refusal_wears_its_own_style_and_tells_a_stranger_no_address(desk):
    for path, headers in (("", {}), ("/elsewhere", {}), ("", {"Host": "evil.example"})):
        answer = desk.visitor().fetch(path, Referer=desk.guard.root, **headers)
        page = answer.body.decode()
        style = page.partition("<style>")[2].partition("</style>")[0]
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert "prefers-color-scheme: dark" in style
        assert f"style-src 'sha256-{digest}';" in answer.headers["Content-Security-Policy"]
        assert desk.guard.path not in page


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("{root}alike/basics/scores/why?group=1", "{root}alike/basics/scores/why?group=1"),
        ("{root}nothing/here", "{root}"),
        ("http://evil.example/", "{root}"),
        ("", "{root}"),
    ],
)
def test_a_refusal_leads_back_to_the_page_of_ours_that_asked(desk, referer, back):
    root = desk.guard.root
    answer = desk.visitor().enter().fetch("nothing/here", Referer=referer.format(root=root))
    assert f'<a href="{back.format(root=root)}">Go back</a>' in answer.body.decode()


def test_an_address_that_is_not_the_desks_tells_nothing(desk):
    assert desk.visitor().fetch("/").code == 403
    assert desk.visitor().enter().fetch("/").code == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "[::1]:1", "localhost.evil.example"]
)
def test_another_host_is_refused_even_with_the_cookie(desk, host):
    assert desk.visitor().enter().fetch("", Host=host).code == 403
    assert desk.visitor().fetch(f"?token={desk.guard.token}", Host=host).code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://127.0.0.1:1", "https://127.0.0.1"]
)
def test_a_form_of_another_page_changes_nothing(desk, origin):
    visitor = desk.visitor().enter()
    form = {**desk.form(visitor, "ada"), "_csrf": visitor.csrf, "score": "2"}
    assert visitor.fetch(f"mark/basics/scores/why/{desk.ids()['ada']}", form, Origin=origin).code == 403
    assert desk.kept("ada") == (None, None, True)


def test_a_form_without_the_token_of_its_own_page_changes_nothing(desk):
    visitor, other = desk.visitor().enter(), desk.visitor().enter()
    for csrf in ("", "guess", other.csrf):
        form = {**desk.form(visitor, "ada"), "_csrf": csrf, "score": "2"}
        assert visitor.fetch(f"mark/basics/scores/why/{desk.ids()['ada']}", form).code == 403
    assert desk.kept("ada") == (None, None, True)


def test_a_picture_or_script_tag_elsewhere_gets_nothing(desk):
    headers = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "script"}
    assert desk.visitor().enter().fetch("desk.js", **headers).code == 403


def test_every_page_forbids_scripts_that_stand_in_it_and_addresses_from_outside(desk):
    visitor = desk.visitor().enter()
    for path in ("", WHY, "rubric/basics/scores/why", "nothing/here"):
        answer = visitor.fetch(path, follow=True)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        page = answer.body.decode()
        assert "http://" not in page
        assert "https://" not in page
        assert " style=" not in page
        assert " onclick=" not in page


def test_a_students_text_is_shown_and_never_run(graded, open_desk):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](http://evil/z.png)"
    graded({"<b>mallory": hostile, **CLASS})
    desk = open_desk()
    visitor = desk.visitor().enter()
    desk.mark(visitor, "<b>mallory", words="<script>alert(2)</script>", score="1")
    page = visitor.read(f"{WHY}/{desk.ids()['<b>mallory']}?show=all")
    assert "&lt;script&gt;alert(1)" in page
    for text in ("<script>alert", "<img src=x", 'href="javascript', 'src="http', "<b>mallory"):
        assert text not in page
        assert text not in desk.page("<b>mallory")


def test_a_folder_that_others_can_read_is_told(tmp_path):
    tmp_path.chmod(0o755)
    assert open_to_others(tmp_path) == (
        f"every user of this machine can read {tmp_path}: chmod o-rwx {tmp_path} keeps the marks to you"
    )
    tmp_path.chmod(0o750)
    assert open_to_others(tmp_path) == ""


def test_only_pages_of_the_desk_are_gone_back_to(desk):
    answer = desk.visitor().enter().send("me", marker="ada", back="https://evil.example/")
    assert answer.headers["Location"] == desk.guard.root
