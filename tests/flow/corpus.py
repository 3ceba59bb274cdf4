#!/usr/bin/python3
"""A corpus of real documents: the Developer's Reference of Debian in four languages, and a folder of
PDFs that groff makes of real texts, served by Python's web server, crawled, searched, ranked, and
read by programs of others: cmark-gfm, hyparquet, zipfile, and the library of replayweb.page.

    corpus.py BROOD SOURCE

SPDX-License-Identifier: MIT
"""

import functools
import gzip
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unicodedata

import tap

brood_bin, source = map(os.path.abspath, sys.argv[1:3])
books = os.path.join(source, ".deps/usr/share/developers-reference")
languages = ["en", "de", "fr", "ja"]
work = tempfile.mkdtemp(prefix="brood-corpus-")
os.chdir(work)


def run(*args, codes=(0,)):
    ran = subprocess.run(args, capture_output=True, text=True)
    assert ran.returncode in codes, f"{args}: {ran.returncode}\n{ran.stderr[-2000:]}"
    return ran.stdout


def brood(*args):
    return run(brood_bin, *args)


def other(*args):
    try:
        ran = subprocess.run(args, capture_output=True, text=True)
    except FileNotFoundError:
        raise tap.Missing(args[0]) from None
    if ran.returncode == 77:
        raise tap.Missing(os.path.basename(args[1]))
    assert ran.returncode == 0, f"{args}: {ran.returncode}\n{ran.stderr[-2000:]}"
    return ran.stdout


def make_pdf(name, troff):
    """A PDF of a text, by groff; -k reads UTF-8."""
    ran = subprocess.run(["groff", "-k", "-man", "-Tpdf"], input=troff.encode(), capture_output=True)
    assert ran.returncode == 0 and ran.stdout.startswith(b"%PDF"), ran.stderr[-500:]
    with open(f"site/pdf/{name}.pdf", "wb") as f:
        f.write(ran.stdout)


def make_site():
    """Chapters of the books as they are; PDFs of their plain texts and of a manual of ours."""
    for language in languages:
        book = books if language == "en" else f"{books}/{language}"
        os.makedirs(f"site/{language}")
        for name in sorted(os.listdir(book)):
            if name.endswith(".html") and name not in ("search.html", "developers-reference.html"):
                shutil.copy(f"{book}/{name}", f"site/{language}/{name}")
    os.makedirs("site/pdf")
    for language in ("de", "fr"):
        with gzip.open(f"{books}/{language}/developers-reference.txt.gz", "rt", encoding="utf-8") as f:
            lines = [line.strip() for line in f.readlines()[200:600]]
        text = "\n".join("\\&" + line if line else ".PP" for line in lines)
        make_pdf(language, f".TH {language} 1\n{text}\n")
    brood("manual", "--out", "manual")
    with open("manual/brood-crawl.1", encoding="utf-8") as f:
        make_pdf("manual", f.read())
    links = [f"{language}/index.html" for language in languages] + [f"pdf/{n}.pdf" for n in ("de", "fr", "manual")]
    with open("site/index.html", "w") as f:
        f.write("<title>Books</title>" + "".join(f"<p><a href='{l}'>{l}</a></p>" for l in links))


def set_up():
    make_site()
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory="site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    brood("crawl", "Fehlerberichte und Betreuer von Paketen", "--seed", "http://books.test/", "--out", "c", "--quiet",
          "--delay", "0", "--allow-private", "--scope", "same-host", "--resolve", f"*:80:127.0.0.1:{port}")
    server.shutdown()
    return [json.loads(line) for line in brood("export", "c", "--as", "jsonl").splitlines()]


def path_of(page):
    return page["url"].removeprefix("http://books.test/")


def words_of(text):
    return re.findall(r"\w+", unicodedata.normalize("NFC", text))


def each_book_and_each_pdf_has_its_language():
    for language in languages:
        found = [p for p in pages if path_of(p).startswith(language + "/")]
        assert len(found) >= 8, (language, len(found))
        known = [p for p in found if path_of(p) != "ja/index.html"]  # a list of headings, half of them in English
        assert all(p["lang"].startswith(language) for p in known), [(p["url"], p["lang"]) for p in found]
        assert all(p["lang_declared"].startswith(language) for p in found)
    types = {path_of(p): (p["mime"], p["lang"]) for p in pages if path_of(p).startswith("pdf/")}
    assert types == {"pdf/de.pdf": ("application/pdf", "de"), "pdf/fr.pdf": ("application/pdf", "fr"),
                     "pdf/manual.pdf": ("application/pdf", "en")}, types
    assert "language de" in brood("show", "c", "http://books.test/de/pkgs.html")


def search_finds_forms_in_each_language():
    for words, place in (("Fehlerberichten", "/de/"), ("bogues", "/fr/"), ("packages maintainers", "/en/"),
                         ("パッケージ", "/ja/"), ('"robots.txt"', "/pdf/manual.pdf")):
        hits = json.loads(brood("search", "c", words, "-n", "30", "--json"))
        assert any(place in h["url"] for h in hits), (words, [h["url"] for h in hits])


def pages_of_the_topic_stand_first():
    best = [path_of(p) for p in json.loads(brood("top", "c", "-n", "6", "--json"))]
    german = [p for p in best if p.startswith("de/") or p == "pdf/de.pdf"]
    assert len(german) >= 5, best


def no_menu_is_in_the_main_text():
    """Sphinx puts the same list of contents, search form and footer on each page."""
    for p in pages:
        if path_of(p).startswith("en/") and path_of(p) != "en/index.html":
            assert "Previous topic" in p["text"] or "Next topic" in p["text"], p["url"]
            assert "Previous topic" not in p["main"] and "Next topic" not in p["main"], p["url"]


def main_text_keeps_paragraphs_without_spaces():
    """Full stops of Japanese are others: still as much of it is main text as of the same book in English."""
    shares = {}
    for language, letter in (("en", "[a-z]"), ("ja", "[\u3040-\u30ff\u4e00-\u9fff]")):
        book = [p for p in pages if path_of(p).startswith(language + "/") and "index" not in p["url"]]
        main, text = (sum(len(re.findall(letter, p[key])) for p in book) for key in ("main", "text"))
        shares[language] = main / text
    assert shares["ja"] > 0.8 * shares["en"], shares


def markdown_says_the_same_to_another_parser():
    brood("export", "c", "--as", "md", "-o", "md")
    by_id = {p["id"]: p for p in pages}
    checked = 0
    for name in sorted(os.listdir("md")):
        with open(f"md/{name}", encoding="utf-8") as f:
            _, front, body = f.read().split("---\n", 2)
        page = by_id[int(name.split(".")[0])]
        assert f"url: {json.dumps(page['url'])}\n" in front, front
        assert page["lang"] is None or f"lang: \"{page['lang']}\"\n" in front, front
        assert body.lstrip("\n") == page["markdown"], name
        made = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table"], input=body.encode(), capture_output=True)
        assert made.returncode == 0
        inside = re.sub(r"</?(em|strong|code|a)\b[^>]*>", "", made.stdout.decode())
        shown = html.unescape(re.sub(r"<[^>]*>", " ", inside))
        differ = set(words_of(shown)) ^ set(words_of(page["main"]))
        assert sorted(words_of(shown)) == sorted(words_of(page["main"])), (page["url"], differ)
        checked += len(words_of(page["main"]))
    assert checked > 50000, checked


def parquet_holds_what_jsonl_holds():
    brood("export", "c", "--as", "parquet", "-o", "c.parquet")
    rows = {r["url"]: r for r in json.loads(other("node", f"{source}/tests/flow/parquet.mjs", "c.parquet"))}
    assert len(rows) == len(pages)
    for p in pages:
        row = rows[p["url"]]
        assert row["text"] == p["main"] and row["title"] == (p["title"] or ""), p["url"]
        assert row["lang"] == p["lang"] and row["lang_declared"] == p["lang_declared"], p["url"]


def a_wacz_replays_pages_and_pdfs():
    brood("export", "c", "--as", "wacz", "-o", "c.wacz")
    os.mkdir("unpacked")
    said = run(sys.executable, f"{source}/tests/flow/wacz.py", "c.wacz", "unpacked")
    assert said.startswith("ok "), said
    urls = [f"http://books.test/{p}" for p in ("ja/pkgs.html", "pdf/fr.pdf")]
    replayed = other("node", f"{source}/tests/flow/wabac.mjs", "c.wacz", *urls)
    for url in urls:
        size = os.path.getsize("site/" + url.removeprefix("http://books.test/"))
        assert f"{url} 200 {size}\n" in replayed, (url, size, replayed[-500:])


tests = [each_book_and_each_pdf_has_its_language, search_finds_forms_in_each_language, pages_of_the_topic_stand_first,
         no_menu_is_in_the_main_text, main_text_keeps_paragraphs_without_spaces, markdown_says_the_same_to_another_parser, parquet_holds_what_jsonl_holds,
         a_wacz_replays_pages_and_pdfs]
NEEDS = "the books (tools/deps test), groff, cmark-gfm or pdftotext"
failed = 0
print(f"1..{len(tests)}")
lacking = [need for need in (books, *map(shutil.which, ("groff", "cmark-gfm", "pdftotext"))) if not need or not os.path.exists(need)]
try:
    pages = [] if lacking else set_up()
    for number, test in enumerate(tests, 1):
        failed |= not tap.ran(number, tap.lacking(NEEDS) if lacking else test, tap.title(test))
finally:
    os.chdir("/")
    shutil.rmtree(work)
sys.exit(failed)
