"""wacz.py - what an independent reader (Python's zipfile) makes of a WACZ file.

    python3 wacz.py FILE FOLDER

Checks what version 1.1.1 of the format asks for: the parts, that WARC files are not compressed
again, every digest, that the index is sorted and that each of its lines leads to the record of
its URL. Writes the WARC files into the folder. Prints "ok N pages, M lines".
SPDX-License-Identifier: MIT
"""
import gzip
import hashlib
import json
import os
import sys
import zipfile


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None, "a part is damaged"
    package = z.read("datapackage.json")
    digest = json.loads(z.read("datapackage-digest.json"))
    assert digest == {"path": "datapackage.json", "hash": sha256(package)}, digest
    package = json.loads(package)
    assert package["profile"] == "data-package" and package["wacz_version"] == "1.1.1"
    listed = {r["path"] for r in package["resources"]}
    there = set(z.namelist()) - {"datapackage.json", "datapackage-digest.json"}
    assert listed == there, (listed, there)
    for r in package["resources"]:
        data = z.read(r["path"])
        assert len(data) == r["bytes"] and sha256(data) == r["hash"], r
        assert r["name"] == os.path.basename(r["path"])
    lines = z.read("indexes/index.cdx").decode().splitlines()
    assert lines and lines == sorted(lines, key=lambda line: line.encode())
    for line in lines:
        entry = json.loads(line.split(" ", 2)[2])
        name = "archive/" + entry["filename"]
        assert z.getinfo(name).compress_type == zipfile.ZIP_STORED
        at, size = int(entry["offset"]), int(entry["length"])
        record = gzip.decompress(z.read(name)[at : at + size]).decode("latin-1")
        assert record.startswith("WARC/1.1\r\n")
        assert f"WARC-Target-URI: {entry['url']}\r\n" in record, entry
    pages = z.read("pages/pages.jsonl").decode().splitlines()
    assert json.loads(pages[0])["format"] == "json-pages-1.0"
    indexed = {json.loads(line.split(" ", 2)[2])["url"] for line in lines}
    for page in map(json.loads, pages[1:]):
        assert page["url"] in indexed and page["ts"].endswith("Z") and page["id"], page
    for name in there:
        if name.startswith("archive/"):
            with open(os.path.join(sys.argv[2], os.path.basename(name)), "wb") as out:
                out.write(z.read(name))
print(f"ok {len(pages) - 1} pages, {len(lines)} lines")
