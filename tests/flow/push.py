#!/usr/bin/python3
"""A watch that hubs reach (brood watch --callback), and its digests, with a site and a hub of our own.

    push.py BROOD

The hub confirms as WebSub says, sends a message with a wrong signature and one with a right one.
Pages are left alone for hours here: what is announced was announced because the hub said so.
SPDX-License-Identifier: MIT
"""

import concurrent.futures
import hashlib
import hmac
import http.client
import http.server
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from urllib.parse import parse_qs, urlencode, urlsplit

brood = os.path.abspath(sys.argv[1])
work = tempfile.mkdtemp(prefix="brood-push-")


def ask(url, body=None, headers={}):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    connection.request("POST" if body else "GET", f"{parts.path}?{parts.query}", body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def ask_in_a_crowd(url):
    """As a hub does: again and again."""
    for _ in range(600):
        try:
            return ask(url)
        except (ConnectionError, http.client.HTTPException):
            time.sleep(0.1)
    raise TimeoutError(url)


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *args):
        pass

    def answer(self, code, text="", kind="text/html"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        world = self.server.world
        world.asked.append(self.path)
        if self.path == "/feed":
            self.answer(200, world.feed(), "application/atom+xml")
        elif self.path in ("/one", "/two"):
            self.answer(200, f"<title>zebrafish {self.path}</title><p>zebrafish swim, {self.path} of version {world.version}</p>")
        else:
            self.answer(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer(202)
        if self.path == "/hook":
            self.server.world.posted.append(json.loads(body))
            return
        form = parse_qs(body)
        threading.Thread(target=self.server.world.on_subscribe, args=(form,), daemon=True).start()


class World:
    """A site with one feed, and its hub."""

    def __init__(self):
        self.version, self.asked, self.posted, self.trouble, self.is_crowded = 1, [], [], None, False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        self.server.world = self
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def feed(self):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        then = "2026-01-01T00:00:00Z"
        entry = "<entry><title>zebrafish</title><link href='{}'/><published>{}</published><updated>{}</updated></entry>"
        entries = [entry.format("/one", then, then if self.version == 1 else now)]
        if self.version > 1:
            entries.append(entry.format("/two", now, now))
        links = "<link rel='hub' href='/hub'/><link rel='self' href='/feed'/>"
        return f"<feed xmlns='http://www.w3.org/2005/Atom'><title>fish</title>{links}{''.join(entries)}</feed>"

    def on_subscribe(self, form):
        try:
            self.confirm_and_send({name: values[0] for name, values in form.items()})
        except Exception:
            self.trouble = traceback.format_exc()

    def confirm_and_send(self, form):
        assert form["hub.mode"] == "subscribe" and form["hub.topic"] == f"{self.base}/feed", form
        callback = form["hub.callback"]
        strangers = self.crowd(urlsplit(callback).port) if self.is_crowded else []
        query = {"hub.mode": "subscribe", "hub.topic": form["hub.topic"], "hub.challenge": "c&d", "hub.lease_seconds": "3600"}
        assert ask_in_a_crowd(f"{callback}?{urlencode({**query, 'hub.topic': 'http://other/'})}")[0] == 404
        assert ask_in_a_crowd(f"{callback}?{urlencode(query)}") == (200, "c&d")
        assert ask(f"{callback[:-1]}{'0' if callback[-1] != '0' else '1'}?{urlencode(query)}")[0] == 410
        while "/one" not in self.asked:
            time.sleep(0.02)
        self.version = 2
        body = self.feed().encode()
        right = "sha256=" + hmac.new(form["hub.secret"].encode(), body, hashlib.sha256).hexdigest()
        assert ask(callback, body, {"X-Hub-Signature": "sha256=" + "0" * 64})[0] == 202
        assert ask(callback, body, {"X-Hub-Signature": right})[0] == 202
        for s in strangers:
            s.close()

    def crowd(self, port):
        """Strangers who take all places and say nothing, or too much."""
        try:
            ask(f"http://127.0.0.1:{port}/hook/0", b"x" * 3000000)
            assert False, "three megabytes were taken"
        except (ConnectionError, http.client.HTTPException):
            pass
        strangers = [socket.create_connection(("127.0.0.1", port), 60) for _ in range(40)]
        for s in strangers[:20]:
            s.sendall(b"POST /hook/0 HTTP/1.1\r\nHost: x\r\nContent-Le")
        return strangers


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def watched(name, *model):
    """What is announced until /two is, with /one asked for twice; and what is said at the end."""
    world, port = World(), free_port()
    world.is_crowded = name == "revisit"
    args = [brood, "watch", "zebrafish", "--seed", f"{world.base}/feed", "--allow-private", "--delay", "0", "--out",
            os.path.join(work, name), "--callback", f"http://127.0.0.1:{port}/hook", "--callback-listen", str(port), *model]
    child = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    urls = []
    try:
        while f"{world.base}/two" not in urls:
            line = child.stdout.readline()
            assert line, f"{world.trouble}\n{child.stderr.read()}"
            urls.append(json.loads(line)["url"])
        while world.asked.count("/one") < 2:
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        said = child.communicate(timeout=60)[1]
    finally:
        child.kill()
        world.server.shutdown()
    assert world.trouble is None, world.trouble
    return said


def a_hub_makes_a_watch_look_at_a_feed():
    said = watched("revisit", "--model", "revisit", "--set", "least=10h")
    assert "hubs: 1 of 1 feeds, 1 messages, 1 refused" in said, said


def foragers_hear_of_what_is_new_too():
    said = watched("foragers", "--set", "recheck=10h")
    assert "hubs: 1 of 1 feeds, 1 messages, 1 refused" in said, said


def a_digest_is_one_mail_and_one_post():
    world, out = World(), os.path.join(work, "digest")
    world.version = 2
    sendmail, mails = os.path.join(work, "sendmail"), os.path.join(work, "mails")
    with open(sendmail, "w") as f:
        f.write(f'#!/bin/sh\nfor a in "$@"; do echo "arg $a"; done >>{mails}\ncat >>{mails}\n')
    os.chmod(sendmail, 0o755)

    def run(*more):
        args = [brood, "watch", "--out", out, "--once", "--quiet", "--sendmail", sendmail, *more]
        ran = subprocess.run(args, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stderr

    run("zebrafish", "--seed", f"{world.base}/feed", "--allow-private", "--delay", "0", "--digest", "00:00",
        "--mail", "me@example.org", "--webhook", f"{world.base}/hook")
    assert not os.path.exists(mails) and world.posted == [], "the day of a new watch is not over"
    with sqlite3.connect(os.path.join(out, "crawl.db")) as db:
        assert db.execute("UPDATE crawl SET value = '1000000' WHERE key = 'watch.digested'").rowcount == 1
    run()  # what is stored is enough to go on
    with open(mails) as f:
        mail = f.read()
    assert mail.count("Subject: 1 new document (brood watch)") == 1 and f"{world.base}/two\n" in mail, mail
    assert mail.startswith("arg -i\narg --\narg me@example.org\nTo: me@example.org\n"), mail
    assert len(world.posted) == 1 and world.posted[0]["digest"], world.posted
    assert [item["url"] for item in world.posted[0]["items"]] == [f"{world.base}/two"], world.posted
    world.server.shutdown()


tests = [a_digest_is_one_mail_and_one_post, a_hub_makes_a_watch_look_at_a_feed, foragers_hear_of_what_is_new_too]


def ran(test):
    try:
        test()
    except Exception:
        return traceback.format_exc()
    return None


failed = 0
print(f"1..{len(tests)}")
with concurrent.futures.ThreadPoolExecutor() as pool:  # they wait most of the time
    for number, (test, trouble) in enumerate(zip(tests, pool.map(ran, tests)), 1):
        print(f"{'not ok' if trouble else 'ok'} {number} - {test.__name__.replace('_', ' ')}")
        if trouble:
            failed = 1
            print("# " + trouble.replace("\n", "\n# "))
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
