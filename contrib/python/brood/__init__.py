"""Crawls of brood, from Python: pages with text and relevance, search, events of a running crawl.

    import brood

    crawl = brood.open("reefs")
    for page in crawl.top(10):
        print(page.relevance, page.url, page.main[:80])
    for page in crawl.search('"coral bleaching" OR reef*'):
        print(page.title)

Everything is read from DIR/crawl.db and DIR/index.db, read-only, also while the crawl runs; docs/schema.md describes
the tables. Nothing but Python's own library is needed. Texts, titles and URLs come from strangers.

SPDX-License-Identifier: MIT
"""

from __future__ import annotations

import json
import os
import sqlite3
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Iterator
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Agent", "Crawl", "Event", "Link", "Page", "events", "open"]

SCHEMA = 3  # the newest that this module knows
_HALF = 0.05  # the relevance of a page that is half sure, until the model has judged it


def _time(us: int | None) -> datetime | None:
    return datetime.fromtimestamp(us / 1e6, timezone.utc) if us else None


@dataclass(frozen=True)
class Page:
    """A stored page; `text` and `main` are read when they are asked for."""

    id: int
    url: str
    host: str
    title: str
    relevance: float
    p: float | None  #: how probably it is of the topic, as the model says; None: it says nothing
    status: int
    mime: str | None
    lang: str | None
    fetched_at: datetime | None
    date: datetime | None  #: the document's own
    depth: int
    agent_id: int | None
    dup_of: int | None
    version_of: int | None
    _crawl: Crawl = field(repr=False, compare=False, kw_only=True)

    @property
    def sure(self) -> int:
        """The number that `brood top` shows (docs/relevance.md), 0 to 100."""
        rank = self.relevance / (self.relevance + _HALF) if self.p is None else self.p
        return min(100, max(0, int(100 * rank + 0.5)))

    @property
    def text(self) -> str:
        """All visible text, a block a line."""
        return self._crawl._text(self.id)[0]

    @property
    def main(self) -> str:
        """The main text: without menus, footers and the like."""
        text, places = self._crawl._text(self.id)
        return text if places is None else _passages(text.encode(), places)

    @property
    def links(self) -> Iterator[Link]:
        rows = self._crawl.db.execute(
            "SELECT to_url, anchor, score FROM link WHERE from_page = ? ORDER BY pos", (self.id,)
        )
        return (Link(url, anchor or "", score) for url, anchor, score in rows)


@dataclass(frozen=True)
class Link:
    url: str
    anchor: str
    score: float | None  #: None: the model gave none


@dataclass(frozen=True)
class Agent:
    id: int
    name: str
    kind: str
    parent_id: int | None
    generation: int
    pages: int
    energy: float | None
    born_at: datetime | None
    died_at: datetime | None
    death: str | None


@dataclass(frozen=True)
class Event:
    """What a running crawl says: `kind` is "tick" or "state"."""

    kind: str
    data: dict[str, Any]


def _passages(text: bytes, packed: bytes) -> str:
    """docs/schema.md, "Main text": numbers of seven bits a byte, two a passage."""
    numbers, number, shift = [], 0, 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    lines, at = [], 0
    for gap, length in zip(numbers[::2], numbers[1::2]):
        at += gap
        lines.append(text[at : at + (length >> 3)].decode(errors="replace"))
        at += length >> 3
    return "\n".join(lines)


class Crawl:
    """A crawl directory. `db` is a read-only connection to its database, for questions of your own."""

    _PAGE = (
        "SELECT p.id, p.url, p.host, p.title, p.relevance, p.p, p.status, p.mime, p.lang, p.fetched_at,"
        " p.date, p.depth, p.agent_id, p.dup_of, p.version_of FROM page p"
    )
    #: the newest version of each page that is no duplicate and may be shown, as `brood top` has it
    _SHOWN = " JOIN url u ON u.id = p.url_id AND u.page = p.id WHERE coalesce(p.hidden, 0) = 0 AND p.dup_of IS NULL"

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.fspath(directory)
        path = os.path.join(os.path.abspath(self.directory), "crawl.db")
        if not os.path.isfile(path):
            raise FileNotFoundError(f"{self.directory} has no crawl.db")
        self.db = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)
        schema = int(self.key("schema") or 0)
        if not 1 <= schema <= SCHEMA:
            self.close()
            raise ValueError(f"{self.directory} has schema {schema}, which this module does not know")
        index = os.path.join(os.path.dirname(path), "index.db")
        if os.path.isfile(index):  # crawls by earlier versions have the index in crawl.db
            self.db.execute("ATTACH ? AS full_text", (f"file:{quote(index)}?mode=ro",))
        columns = {row[1] for row in self.db.execute("PRAGMA table_info(page)")}
        if "p" not in columns:  # of a crawl by an earlier version
            self._PAGE = self._PAGE.replace("p.p,", "NULL,")

    def __enter__(self) -> Crawl:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    def key(self, name: str) -> Any:
        """A value of the table `crawl`, such as "option.model"; None: there is none."""
        row = self.db.execute("SELECT value FROM crawl WHERE key = ?", (name,)).fetchone()
        return row[0] if row else None

    @property
    def topic(self) -> str:
        return str(self.key("topic") or self.key("option.words") or "")

    def __len__(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM page").fetchone()[0])

    def _pages(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Page]:
        for row in self.db.execute(sql, values):
            cells: list[Any] = list(row)
            cells[3] = cells[3] or ""  # the title
            cells[9:11] = map(_time, cells[9:11])
            yield Page(*cells, _crawl=self)

    def pages(self, least: float = 0.0, everything: bool = False) -> Iterator[Page]:
        """Pages from this relevance on, in the order in which they came. `everything`: also older
        versions, duplicates, and pages that asked not to be shown."""
        where = " WHERE" if everything else self._SHOWN + " AND"
        return self._pages(f"{self._PAGE}{where} p.relevance >= ? ORDER BY p.id", (least,))

    def top(self, n: int = 20) -> Iterator[Page]:
        """The best pages first, as `brood top` has them: by what the model says, and by relevance
        where it says nothing."""
        judged = self._PAGE.split(",")[5].strip()
        rank = f"coalesce({judged}, p.relevance / (p.relevance + {_HALF}))"
        order = f" ORDER BY {rank} DESC, p.relevance DESC, p.id LIMIT ?"
        return self._pages(self._PAGE + self._SHOWN + order, (n,))

    def page(self, url: str) -> Page | None:
        """The newest version of a URL, as it is written in the crawl."""
        return next(self._pages(self._PAGE + " WHERE p.url = ? ORDER BY p.id DESC LIMIT 1", (url,)), None)

    def search(self, words: str, n: int = 20, all_text: bool = False) -> Iterator[Page]:
        """Full-text search, in the syntax of SQLite's FTS5: words as they are, where `brood search` also
        finds their other forms. `all_text`: menus and footers too, not only titles and main texts.
        Of a running crawl some seconds behind."""
        columns = {row[1] for row in self.db.execute("PRAGMA table_info(page_text)")}
        if not all_text and "main" in columns:
            words = f"{{title main}} : ({words})"
        sql = self._PAGE + " JOIN page_text t ON t.rowid = p.id" + self._SHOWN
        return self._pages(sql + " AND t.page_text MATCH ? ORDER BY t.rank LIMIT ?", (words, n))

    def agents(self) -> Iterator[Agent]:
        for row in self.db.execute(
            "SELECT id, name, kind, parent_id, generation, pages, energy, born_at, died_at, death FROM agent ORDER BY id"
        ):
            cells: list[Any] = list(row)
            cells[7:9] = map(_time, cells[7:9])
            yield Agent(*cells)

    def _text(self, page: int) -> tuple[str, bytes | None]:
        row = self.db.execute("SELECT text FROM body WHERE id = ?", (page,)).fetchone()
        try:
            places = self.db.execute("SELECT places FROM main_row WHERE page = ?", (page,)).fetchone()
        except sqlite3.OperationalError:  # a crawl by an earlier version
            places = None
        return (row[0] or "" if row else ""), (places[0] if places else None)


def open(directory: str | os.PathLike[str]) -> Crawl:
    """Opens a crawl directory. FileNotFoundError, ValueError: of a newer version."""
    return Crawl(directory)


def events(url: str, crawl: str | None = None) -> Iterator[Event]:
    """Follows crawls over the HTTP API, until the server ends. `url` is what `brood serve` or
    `brood crawl --dashboard` printed; `crawl` the id of one (default: the list of all)."""
    parts = urlsplit(url)
    query = "?" + urlencode({"crawl": crawl}) if crawl else ""
    # No proxy: the dashboard is on this machine, or its user says where.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    kind, data = "message", ""
    with opener.open(f"{parts.scheme}://{parts.netloc}/api/events{query}") as stream:
        for raw in stream:
            line = raw.decode().rstrip("\r\n")
            if line.startswith("event:"):
                kind = line[6:].strip()
            elif line.startswith("data:"):
                data += line[5:].strip()
            elif not line and data:
                value = json.loads(data)
                yield Event(kind, value if isinstance(value, dict) else {"crawls": value})
                kind, data = "message", ""
