#!/usr/bin/python3
"""The figures of `brood serve`, scraped by a real Prometheus: every expression of the dashboard in
contrib/grafana and of the alerts in contrib/prometheus is asked through its HTTP API.

    prometheus.py BROOD SOURCE

SPDX-License-Identifier: MIT
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from urllib.parse import urlencode

import tap

brood, source = map(os.path.abspath, sys.argv[1:3])
work = tempfile.mkdtemp(prefix="brood-prometheus-")
os.chdir(work)
children = []
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def run(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True).stdout


def start(*args):
    child = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    children.append(child)
    return child


def await_true(what, done):
    for _ in range(6000):
        if (value := done()):
            return value
        time.sleep(0.1)
    raise TimeoutError(what)


def free_port():
    """Below those that the kernel hands out: nobody gets it before it is used."""
    while True:
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", random.randrange(15000, 30000)))
                return s.getsockname()[1]
            except OSError:
                pass


def contrib(name):
    with open(os.path.join(source, "contrib", name)) as f:
        return f.read()


def get(url):
    try:
        with opener.open(url, timeout=600) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.read().decode()
    except OSError:
        return ""


class Scene:
    """A crawl and a watch that run, the dashboard over both, and the Prometheus that scrapes it."""

    def __init__(self):
        run(brood, "world", "make", "web", "--pages", "2000", "--hosts", "20", "--topics", "3")
        topic = json.loads(run(brood, "world", "info", "web", "--json"))["topics"][0]
        web = start(brood, "world", "serve", "web", "--port", "0")
        port = re.search(r"port (\d+)", web.stdout.readline()).group(1)
        where = ["--seed", topic["seeds"][0], "--allow-private", "--resolve", f"*:80:127.0.0.0/8:{port}", "--quiet"]
        words = " ".join(topic["words"][:3])
        os.mkdir("crawls")
        start(brood, "crawl", words, *where, "--delay", "300ms", "--pages", "1900", "--out", "crawls/one")
        start(brood, "watch", words, *where, "--delay", "300ms", "--model", "revisit", "--set", "least=1s", "--out", "crawls/two")
        serve = start(brood, "serve", "--root", "crawls", "--port", "0")
        self.metrics = re.match(r"http://[^/]+/", serve.stdout.readline()).group(0) + "metrics"
        self.api = self.start_prometheus(re.search(r"[^/]+:\d+", self.metrics).group(0))

    def start_prometheus(self, target):
        port = free_port()
        config = contrib("prometheus/prometheus.yml")
        for old, new in (("127.0.0.1:8400", target), ("scrape_interval: 15s", "scrape_interval: 1s")):
            assert config.count(old) == 1, old
            config = config.replace(old, new)
        with open("prometheus.yml", "w") as f:
            f.write(config)
        shutil.copy(os.path.join(source, "contrib/prometheus/rules.yml"), "rules.yml")
        start("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=series", f"--web.listen-address=127.0.0.1:{port}")
        url = f"http://127.0.0.1:{port}"
        await_true("Prometheus does not come up", lambda: get(f"{url}/-/ready").startswith("Prometheus"))
        return f"{url}/api/v1/"

    def ask(self, expression):
        """The series that an expression has now."""
        answer = json.loads(get(f"{self.api}query?{urlencode({'query': expression})}"))
        assert answer["status"] == "success", f"{expression}: {answer}"
        return answer["data"]["result"]

    def await_series(self, expression):
        return await_true(f"no series: {expression}", lambda: self.ask(expression))


def every_panel_of_the_dashboard_has_a_series():
    panels = json.loads(contrib("grafana/brood.json"))["panels"]
    asked = [(p["title"], t["expr"], t["legendFormat"]) for p in panels for t in p["targets"]]
    assert len(asked) >= 8, asked
    for title, expression, legend in asked:
        series = scene.await_series(expression)
        for label in re.findall(r"{{(\w+)}}", legend):
            assert all(s["metric"].get(label) for s in series), f"{title}: no label {label}: {series}"
        print(f"# {title}: {expression}: {len(series)} series")


def what_prometheus_has_is_what_the_crawl_has():
    pages = int(scene.await_series('brood_pages_total{crawl="one"} > 20')[0]["value"][1])
    with subprocess.Popen([brood, "stats", "crawls/one", "--json"], stdout=subprocess.PIPE) as stats:
        assert json.load(stats.stdout)["pages"] >= pages
    assert {s["metric"]["crawl"]: s["value"][1] for s in scene.ask("brood_up")} == {"one": "1", "two": "1"}


def the_names_and_the_text_please_promtool():
    with open("scraped", "w") as f:
        f.write(get(scene.metrics))
    with open("scraped") as f:
        ran = subprocess.run(["promtool", "check", "metrics"], stdin=f, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def the_alerts_are_loaded_and_evaluate():
    groups = await_true("no rules", lambda: json.loads(get(f"{scene.api}rules"))["data"]["groups"])
    rules = [r for g in groups for r in g["rules"]]
    assert [r["name"] for r in rules] == ["BroodStuck", "BroodMemory"], rules
    for r in rules:
        scene.ask(r["query"])
        for name in set(re.findall(r"brood_\w+", r["query"])):
            scene.await_series(name)


# Per hour: a crawl that stores nothing, one that does, a watch that only looks, one that is over.
SERIES = """
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'brood_up{crawl="stuck"}', values: '1x180'}
      - {series: 'brood_pages_total{crawl="stuck"}', values: '7x180'}
      - {series: 'brood_memory_bytes{crawl="stuck"}', values: '1900000000x180'}
      - {series: 'brood_up{crawl="busy"}', values: '1x180'}
      - {series: 'brood_pages_total{crawl="busy"}', values: '7+1x180'}
      - {series: 'brood_up{crawl="watch"}', values: '1x180'}
      - {series: 'brood_pages_total{crawl="watch"}', values: '7x180'}
      - {series: 'brood_looks_total{crawl="watch"}', values: '7+1x180'}
      - {series: 'brood_up{crawl="over"}', values: '0x180'}
      - {series: 'brood_pages_total{crawl="over"}', values: '7x180'}
    alert_rule_test:
      - eval_time: 2h30m
        alertname: BroodStuck
        exp_alerts:
          - exp_labels: {crawl: stuck}
            exp_annotations: {summary: "stuck runs, and has stored nothing for an hour"}
      - eval_time: 2h30m
        alertname: BroodMemory
        exp_alerts:
          - exp_labels: {crawl: stuck}
            exp_annotations: {summary: "stuck uses 1.77GiB of memory"}
"""


def the_alerts_say_which_crawl_is_stuck():
    with open("alerts.yml", "w") as f:
        f.write(SERIES)
    ran = subprocess.run(["promtool", "test", "rules", "alerts.yml"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


tests = [every_panel_of_the_dashboard_has_a_series, what_prometheus_has_is_what_the_crawl_has,
         the_names_and_the_text_please_promtool, the_alerts_are_loaded_and_evaluate, the_alerts_say_which_crawl_is_stuck]
if not (shutil.which("prometheus") and shutil.which("promtool")):
    print("1..0 # SKIP prometheus is not installed")
    sys.exit(0)
failed = 0
print(f"1..{len(tests)}")
try:
    scene = Scene()
    for number, test in enumerate(tests, 1):
        failed |= not tap.ran(number, test)
finally:
    for child in children:
        child.send_signal(signal.SIGTERM)
    for child in children:
        child.communicate()
    os.chdir("/")
    shutil.rmtree(work)
sys.exit(failed)
