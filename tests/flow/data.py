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

import tap

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


def pages_without_a_judgement_stand_where_top_has_them() -> None:
    shutil.copytree("reefs", "half")
    with sqlite3.connect("half/crawl.db") as db:
        assert db.execute("DELETE FROM judged_row WHERE page % 2").rowcount > 5
    said = json.loads(run("top", "half", "-n", "25", "--json"))
    with brood.open("half") as crawl:
        top = list(crawl.top(25))
    assert [(p.url, p.sure, p.p) for p in top] == [(row["url"], row["sure"], row["p"]) for row in said]
    assert 5 < sum(p.p is None for p in top) < len(top) - 5


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
    commands = {
        "sh": ["sh", "-ec", 'brood() { "$BIN" "$@"; }\n' + code],
        "python": [sys.executable, "-c", code],
        "r": ["Rscript", "--vanilla", "-e", code],
        "duckdb": ["node", "--input-type=module", "-e", DUCKDB, code],
    }
    # node looks for modules beside the project, R and Python for files where the crawl is.
    where = source if language == "duckdb" else work
    ran = subprocess.run(commands[language], env=env, cwd=where, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    if language != "sh":
        assert ran.stdout.strip(), "it prints nothing"


# Every statement has a row.
DUCKDB = f"""
import {{ DuckDBInstance }} from '@duckdb/node-api';
const db = await (await DuckDBInstance.create(':memory:')).connect();
await db.run("SET file_search_path = '{work}'");
for (const statement of process.argv[1].split(';').filter((s) => s.trim())) {{
  const rows = (await db.runAndReadAll(statement)).getRows();
  if (!rows.length) throw new Error('no row: ' + statement);
  console.log(rows.length);
}}
"""


def follow(code: str) -> None:
    """A recipe that prints until the server ends."""
    serve = subprocess.Popen([brood_bin, "serve", "reefs", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    watchdog = threading.Timer(120, serve.kill)
    watchdog.start()
    try:
        url = re.match(r"http://[^/]+/", serve.stdout.readline()).group(0)
        assert "http://127.0.0.1:8400/" in code
        code = code.replace("http://127.0.0.1:8400/", url)
        env = {**os.environ, "PYTHONPATH": os.path.join(source, "contrib/python"), "PYTHONUNBUFFERED": "1"}
        child = subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = child.stdout.readline()
        serve.terminate()
        child.communicate()
        assert said.startswith("tick [") and "('reefs', 25)" in said, said
    finally:
        watchdog.cancel()
        serve.kill()
        serve.communicate()


def lacks(language: str, module: str) -> str:
    """What is missing here for a recipe; empty: nothing."""
    if module and importlib.util.find_spec(module) is None:
        return module
    probes = {"r": ("RSQLite", "Rscript -e 'library(RSQLite)'"), "duckdb": ("@duckdb/node-api", "node -e 'import(\"@duckdb/node-api\")'")}
    name, probe = probes.get(language, ("", "true"))
    return name if subprocess.run(["sh", "-c", probe], cwd=source, capture_output=True).returncode else ""


def recipes() -> "list[tuple[str, object, str]]":
    with open(os.path.join(source, "docs/data.md")) as f:
        text = f.read()
    blocks = re.findall(r"^```(\w+)(?: (needs|serves)=(\w+))?\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 14 and len(blocks) == len(re.findall(r"^```\w", text, re.M)), len(blocks)
    assert not re.search(r"^    \S", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M), "a recipe that is not run"
    tests = []
    for i, (language, what, value, code) in enumerate(blocks, 1):
        needs = value if what == "needs" else ""
        run_it = (lambda c=code: follow(c)) if what == "serves" else (lambda l=language, c=code: run_recipe(l, c))
        tests.append((f"recipe {i} of docs/data.md works ({needs or language})", run_it, lacks(language, needs)))
    return tests


def the_first_query_has_the_order_of_top() -> None:
    with open(os.path.join(source, "docs/data.md")) as f:
        query = re.search(r"^```sql\n(.*?)^```", f.read(), re.M | re.S).group(1)
    for crawl in ("reefs", "half"):
        with sqlite3.connect(f"file:{crawl}/crawl.db?mode=ro", uri=True) as db:
            urls = [row[1] for row in db.execute(query)]
        assert urls == [row["url"] for row in json.loads(run("top", crawl, "-n", "10", "--json"))]


plain = [pages_are_those_of_top, pages_without_a_judgement_stand_where_top_has_them, texts_are_those_of_show, search_finds_what_search_finds, what_is_no_crawl_is_refused, events_are_followed, the_first_query_has_the_order_of_top]
tests = [(f.__name__.replace("_", " "), f, "") for f in plain] + recipes()
failed = 0
print(f"1..{len(tests)}")
try:
    set_up()
    for number, (name, test, missing) in enumerate(tests, 1):
        failed |= not tap.ran(number, tap.lacking(missing) if missing else test, name)
finally:
    os.chdir("/")
    shutil.rmtree(work)
sys.exit(failed)
