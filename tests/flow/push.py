#!/usr/bin/python3
"""A watch that is told what changed: by hubs (brood watch --callback), feeds and sitemaps; and its
digests. With a site and hubs of our own.

    push.py BROOD

The hub confirms as WebSub says, sends a message with a wrong signature and one with a right one; the
cloud does as rssCloud says, and names a feed that is not its own first. Pages are left alone for
hours here: what is visited again, or announced, was so because somebody said that it changed.
SPDX-License-Identifier: MIT
"""

import concurrent.futures
import hashlib
import hmac
import http.client
import http.server
import json
import os
import random
import re
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
    connection = http.client.HTTPConnection(parts.netloc, timeout=600)
    connection.request("POST" if body else "GET", f"{parts.path}?{parts.query}", body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def ask_in_a_crowd(url):
    """As a hub does: again and again."""
    for _ in range(6000):
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
            self.answer(200, world.feed(), world.feed_type)
        elif self.path == "/sitemap.xml":
            self.answer(200, world.sitemap(), "application/xml")
        elif self.path in ("/one", "/two"):
            self.answer(200, f"<title>zebrafish {self.path}</title><p>zebrafish swim, {self.path} of version {world.version}</p>")
        else:
            self.answer(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/cloud":  # it answers after it has asked us
            self.server.world.on_subscribe(parse_qs(body, keep_blank_values=True))
            self.answer(200, "<notifyResult success='true' msg='registered'/>", "text/xml")
            return
        self.answer(202)
        if self.path == "/hook":
            self.server.world.posted.append(json.loads(body))
            return
        form = parse_qs(body)
        threading.Thread(target=self.server.world.on_subscribe, args=(form,), daemon=True).start()


class World:
    """A site with one feed, and its hub."""

    feed_type = "application/atom+xml"

    def __init__(self):
        self.version, self.asked, self.posted, self.trouble, self.is_crowded = 1, [], [], None, False
        self.is_over = False  # the watch has seen all and is stopped: it need not answer
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

    def sitemap(self):
        then, now = "2026-01-01", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
        url = "<url><loc>{}</loc><lastmod>{}</lastmod></url>"
        urls = url.format(f"{self.base}/one", then if self.version == 1 else now) + url.format(f"{self.base}/two", then)
        return f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"

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


class CloudWorld(World):
    """The same with RSS and rssCloud."""

    feed_type = "application/rss+xml"

    def feed(self):
        def item(path, when):
            date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(when))
            return f"<item><title>zebrafish</title><link>{self.base}{path}</link><pubDate>{date}</pubDate></item>"

        old, new = 1767225600, time.time()
        items = item("/one", old) if self.version == 1 else item("/one", new) + item("/two", new)
        cloud = f"<cloud domain='127.0.0.1' port='{self.server.server_port}' path='/cloud' registerProcedure='' protocol='http-post'/>"
        return f"<rss version='2.0'><channel><title>fish</title><link>{self.base}/</link>{cloud}{items}</channel></rss>"

    def confirm_and_send(self, form):
        assert form["protocol"] == "http-post" and form["url1"] == f"{self.base}/feed", form
        assert form["notifyProcedure"] == "" and form["domain"] == "127.0.0.1", form
        callback, topic = f"http://{form['domain']}:{form['port']}{form['path']}", form["url1"]
        assert ask(f"{callback}?{urlencode({'url': 'http://other/', 'challenge': 'c&d'})}")[0] == 404
        assert ask(f"{callback}?{urlencode({'url': topic, 'challenge': 'c&d'})}") == (200, "c&d")
        threading.Thread(target=self.tell, args=(callback, topic), daemon=True).start()

    def tell(self, callback, topic):
        try:
            while "/one" not in self.asked:
                time.sleep(0.02)
            self.version = 2
            # The subscription begins with the answer to it, which may still be on its way.
            for _ in range(600):
                assert ask(callback, urlencode({"url": "http://other/"}))[0] == 202
                assert ask(callback, urlencode({"url": topic}))[0] == 202
                if self.asked.count("/one") > 1:
                    return
                time.sleep(1)
        except Exception:
            if not self.is_over:
                self.trouble = traceback.format_exc()


def free_port():
    """Below those that the kernel hands out: nobody gets it before it is used."""
    while True:
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", random.randrange(15000, 30000)))
                return s.getsockname()[1]
            except OSError:
                pass


def watched(name, *model, world=None):
    """What is announced until /two is, with /one asked for twice; and what is said at the end."""
    world, port = world or World(), free_port()
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
        world.is_over = True
        child.send_signal(signal.SIGTERM)
        said = child.communicate(timeout=600)[1]
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


def a_cloud_makes_a_watch_look_at_a_feed():
    said = watched("cloud", "--model", "revisit", "--set", "least=10h", world=CloudWorld())
    told, refused = map(int, re.search(r"hubs: 1 of 1 feeds, (\d+) messages, (\d+) refused", said).groups())
    assert told >= 1 and refused >= 1, said


def sitemap_said():
    """Of which pages crawl.log has that the sitemap called them changed, once for each time."""
    try:
        with open(os.path.join(work, "sitemap", "crawl.log")) as f:
            return re.findall(r"/sitemap.xml says that http://[^/]+(/\w+) is new or has changed; 1 in all", f.read())
    except FileNotFoundError:
        return []


def run_until(done, *args):
    """A watch of the sitemap until `done`."""
    args = [brood, "watch", "--out", os.path.join(work, "sitemap"), "--quiet", *args]
    child = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while not done():
            assert child.poll() is None, child.stderr.read()
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=600)
    finally:
        child.kill()


def a_sitemap_with_a_newer_date_makes_a_watch_look_at_a_page():
    world = World()
    asked = world.asked.count

    def is_told():
        if world.version == 1 and asked("/sitemap.xml") > 3 and asked("/one") and asked("/two"):
            assert sitemap_said() == [], "its dates are old"
            world.version = 2
        return "/one" in sitemap_said() and asked("/one") > 1

    run_until(is_told, "zebrafish", "--seed", f"{world.base}/sitemap.xml", "--allow-private", "--delay", "100ms",
              "--set", "recheck=10h")
    before, said = asked("/one"), len(sitemap_said())
    # The next run compares the first date it reads with the look of this one.
    run_until(lambda: len(sitemap_said()) > said and asked("/one") > before)
    assert set(sitemap_said()) == {"/one"}, sitemap_said()
    world.server.shutdown()


def a_digest_is_one_mail_and_one_post():
    world, out = World(), os.path.join(work, "digest")
    world.version = 2
    sendmail, mails = os.path.join(work, "sendmail"), os.path.join(work, "mails")
    with open(sendmail, "w") as f:
        f.write(f'#!/bin/sh\nfor a in "$@"; do echo "arg $a"; done >>{mails}\ncat >>{mails}\n')
    os.chmod(sendmail, 0o755)

    def run(*more):
        args = [brood, "watch", "--out", out, "--once", "--quiet", "--sendmail", sendmail, *more]
        ran = subprocess.run(args, capture_output=True, text=True, timeout=600)
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
    with sqlite3.connect(os.path.join(out, "crawl.db")) as db:
        db.execute("UPDATE crawl SET value = '1000000' WHERE key = 'watch.digested'")
        db.execute("UPDATE crawl SET value = '0' WHERE key = 'watch.mailed'")
    run("--digest", "")  # from now on there is no digest, and so no mail
    run()
    with open(mails) as f:
        assert f.read() == mail
    world.server.shutdown()


tests = [a_digest_is_one_mail_and_one_post, a_hub_makes_a_watch_look_at_a_feed, foragers_hear_of_what_is_new_too,
         a_cloud_makes_a_watch_look_at_a_feed, a_sitemap_with_a_newer_date_makes_a_watch_look_at_a_page]


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
