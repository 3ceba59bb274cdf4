#!/usr/bin/python3
"""Crawls read from Python: the module contrib/python/brood, and every recipe of docs/data.md.

    data.py BROOD SOURCE

SPDX-License-Identifier: MIT
"""

import importlib.util
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import traceback

brood_bin, source = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, os.path.join(source, "contrib/python"))
import brood  # noqa: E402

work = tempfile.mkdtemp(prefix="brood-data-")
os.chdir(work)


def run(*args: str) -> str:
    return subprocess.run([brood_bin, *args], check=True, capture_output=True, text=True).stdout


def set_up() -> None:
    run("world", "make", "web", "--pages", "200", "--hosts", "5", "--topics", "3")
    topic = json.loads(run("world", "info", "web", "--json"))["topics"][0]
    server = subprocess.Popen([brood_bin, "world", "serve", "web", "--port", "0"], stdout=subprocess.PIPE, text=True)
    port = re.search(r"port (\d+)", server.stdout.readline()).group(1)
    where = ["--allow-private", "--resolve", f"*:80:127.0.0.0/8:{port}", "--delay", "0", "--quiet"]
    words = " ".join(topic["words"][:3])
    run("crawl", words, "--seed", topic["seeds"][0], *where, "--pages", "25", "--out", "reefs")
    server.terminate()
    server.wait()


def pages_are_those_of_top() -> None:
    said = json.loads(run("top", "reefs", "-n", "10", "--json"))
    with brood.open("reefs") as crawl:
        top = list(crawl.top(10))
        assert [p.url for p in top] == [row["url"] for row in said]
        assert [p.relevance for p in top] == [row["relevance"] for row in said]
        assert [p.p for p in top] == [row["p"] for row in said]
        assert len(crawl) == 25 and len(list(crawl.pages(everything=True))) == 25
        assert crawl.page(top[0].url) == top[0] and crawl.page("http://nowhere.example/") is None


def texts_are_those_of_show() -> None:
    with brood.open("reefs") as crawl:
        for page in crawl.top(2):
            shown = json.loads(run("show", "reefs", page.url, "--json", "--text", "--main"))
            assert page.text == shown["text"] and page.main == shown["main"], page.url
            assert len(list(page.links)) == len(shown["links_out"])


def search_finds_what_search_finds() -> None:
    with brood.open("reefs") as crawl:
        word = next(p.title for p in crawl.top(10) if " - " in p.title).split()[0]  # of a page, no feed
        found = {row["url"] for row in json.loads(run("search", "reefs", f'"{word}"', "-n", "50", "--json"))}
        assert found and {p.url for p in crawl.search(word, 50)} == found


def what_is_no_crawl_is_refused() -> None:
    for path in ("web/warc", "nowhere"):
        try:
            brood.open(path)
        except FileNotFoundError:
            continue
        raise AssertionError(path)
    with brood.open("reefs") as crawl:
        try:
            crawl.db.execute("DELETE FROM crawl")
        except sqlite3.OperationalError:
            return
    raise AssertionError("it can be written to")


def events_are_followed() -> None:
    serve = subprocess.Popen([brood_bin, "serve", "reefs", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(60, serve.kill)
    watchdog.start()
    try:
        url = serve.stdout.readline().strip()
        if not url and "without its dashboard" in serve.stderr.read():
            return
        event = next(brood.events(url))
        assert event.kind == "tick" and event.data["crawls"][0]["pages"] == 25, event
        told = brood.events(url, event.data["crawls"][0]["id"])
        one = next(e for e in told if e.kind == "tick")
        assert one.data["pages"] == 25, one
    finally:
        watchdog.cancel()
        serve.terminate()
        serve.communicate()


def run_recipe(language: str, code: str) -> None:
    if language == "sql":
        with sqlite3.connect("file:reefs/crawl.db?mode=ro", uri=True) as db:
            for statement in filter(str.strip, code.split(";")):
                row = db.execute(statement).fetchone()
                assert row or "ATTACH" in statement, f"no row: {statement}"
        return
    env = {**os.environ, "PYTHONPATH": os.path.join(source, "contrib/python"), "BIN": brood_bin}
    command = ["sh", "-ec", 'brood() { "$BIN" "$@"; }\n' + code] if language == "sh" else [sys.executable, "-c", code]
    ran = subprocess.run(command, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def recipes() -> "list[tuple[str, object, str]]":
    with open(os.path.join(source, "docs/data.md")) as f:
        blocks = re.findall(r"^```(\w+)(?: needs=(\w+))?\n(.*?)^```", f.read(), re.M | re.S)
    tests = []
    for i, (language, needs, code) in enumerate(blocks, 1):
        missing = bool(needs) and importlib.util.find_spec(needs) is None
        tests.append((f"recipe {i} of docs/data.md works ({needs or language})", lambda l=language, c=code: run_recipe(l, c), needs if missing else ""))
    assert len(tests) >= 10
    return tests


plain = [pages_are_those_of_top, texts_are_those_of_show, search_finds_what_search_finds, what_is_no_crawl_is_refused, events_are_followed]
tests = [(f.__name__.replace("_", " "), f, "") for f in plain] + recipes()
failed = 0
print(f"1..{len(tests)}")
try:
    set_up()
    for number, (name, test, missing) in enumerate(tests, 1):
        if missing:
            print(f"ok {number} - {name} # SKIP {missing} is not installed")
            continue
        try:
            test()
            print(f"ok {number} - {name}")
        except Exception:
            failed = 1
            print(f"not ok {number} - {name}")
            print("".join("# " + line for line in traceback.format_exc().splitlines(True)))
finally:
    os.chdir("/")
    shutil.rmtree(work)
sys.exit(failed)
