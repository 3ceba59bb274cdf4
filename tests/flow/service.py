#!/usr/bin/python3
"""brood as a service: what it tells the service manager, and the units of contrib/systemd.

    service.py BROOD SOURCE

The socket of the service manager is ours; systemd.py has a real one, where that can run.
SPDX-License-Identifier: MIT
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import tap

brood, source = map(os.path.abspath, sys.argv[1:3])
work = tempfile.mkdtemp(prefix="brood-service-")
os.chdir(work)


def told(args, until):
    """What the program tells until it has told all of `until`, and after SIGTERM."""
    path = os.path.join(work, "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(path)
        manager.settimeout(600)
        env = {**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "300000"}
        child = subprocess.Popen([brood, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = []
        try:
            while not all(lines.count(line) >= n for line, n in until.items()):
                lines += manager.recv(4096).decode().split("\n")
            child.send_signal(signal.SIGTERM)
            while "STOPPING=1" not in lines:
                lines += manager.recv(4096).decode().split("\n")
            child.communicate(timeout=600)
        finally:
            child.kill()
            os.unlink(path)
    return lines, child.returncode


def a_dashboard_says_that_it_is_ready_and_lives():
    lines, code = told(["serve", "--root", "crawls", "--port", "0"], {"READY=1": 1, "WATCHDOG=1": 3})
    assert lines[0] == "READY=1" and lines.count("READY=1") == 1 and code == 0, (lines, code)


def a_watch_says_that_it_is_ready_and_lives():
    # Nobody listens at this address: it tries again and again.
    args = ["watch", "fish", "--seed", "http://127.0.0.9/", "--out", "w", "--quiet", "--allow-private"]
    lines, code = told(args, {"READY=1": 1, "WATCHDOG=1": 2})
    assert lines[0] == "READY=1" and code in (0, 130), (lines, code)


def a_health_check_asks_the_dashboard():
    with subprocess.Popen([brood, "serve", "--root", "crawls", "--port", "0"], stdout=subprocess.PIPE, text=True) as serve:
        port = re.search(r":(\d+)/", serve.stdout.readline()).group(1)
        check = [brood, "serve", "--check", "--port", port]
        codes = [subprocess.run(check, capture_output=True).returncode]
        codes.append(subprocess.run([*check, "--bind", "0.0.0.0"], capture_output=True).returncode)
        serve.terminate()
        serve.communicate(timeout=600)
    ran = subprocess.run(check, capture_output=True, text=True)
    assert codes == [0, 0] and ran.returncode == 1, (codes, ran)
    assert "no dashboard answers" in ran.stderr, ran.stderr


def without_a_service_manager_nothing_is_told():
    env = {**os.environ, "NOTIFY_SOCKET": "relative"}
    assert subprocess.run([brood, "models"], env=env, stdout=subprocess.DEVNULL).returncode == 0


def the_units_are_valid_and_closed():
    if not shutil.which("systemd-analyze"):
        raise tap.Missing("systemd-analyze")
    for name in ("brood-serve.service", "brood-watch@.service", "brood-node@.service"):
        with open(os.path.join(source, "contrib/systemd", name)) as f:
            unit = f.read().replace("/usr/bin/brood", brood)
        with open(name, "w") as f:
            f.write(unit)
        ran = subprocess.run(["systemd-analyze", "verify", "--man=no", f"./{name}"], capture_output=True, text=True)
        assert ran.returncode == 0 and ran.stderr == "", ran.stderr
        ran = subprocess.run(["systemd-analyze", "security", "--offline=true", f"./{name}"], capture_output=True, text=True)
        level = re.search(r"exposure level for \S+: ([0-9.]+)", ran.stdout)
        print(f"# {name}: exposure {level.group(1)}")
        assert float(level.group(1)) < 2.5, ran.stdout


tests = [a_dashboard_says_that_it_is_ready_and_lives, a_watch_says_that_it_is_ready_and_lives, a_health_check_asks_the_dashboard, without_a_service_manager_nothing_is_told, the_units_are_valid_and_closed]
failed = 0
print(f"1..{len(tests)}")
os.mkdir("crawls")
for number, test in enumerate(tests, 1):
    failed |= not tap.ran(number, test)
os.chdir("/")
shutil.rmtree(work)
sys.exit(failed)
