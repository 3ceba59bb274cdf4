#!/usr/bin/python3
"""The units of contrib/systemd under a real systemd: ready, watchdog, restart, stop.

    systemd.py BROOD SOURCE

systemd is the first process of namespaces of its own. It sees this machine's files through an
overlay, so that whatever it writes vanishes with it, and a read-only /sys and /proc/sys. Needs root.
SPDX-License-Identifier: MIT
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import tap

brood, source = map(os.path.abspath, sys.argv[1:3])
nats = shutil.which("nats-server")
work = tempfile.mkdtemp(prefix="brood-systemd-")

# The first process: takes a control group of its own, makes the root and becomes systemd. $1: where,
# $2: the unit to start, $3: the name of the group.
GROUP = """
set -eu
mount -t cgroup2 cgroup2 "$1"
mkdir "$1/$3"
echo 0 >"$1/$3/cgroup.procs"
umount "$1"
exec unshare --cgroup sh -c "$0" sh "$1" "$2"
"""
# Its processes take a moment to vanish.
UNGROUP = """
mount -t cgroup2 cgroup2 "$1"
for i in $(seq 100); do
    find "$1/$3" -depth -type d -exec rmdir {} +
    [ -d "$1/$3" ] || break
    sleep 0.1
done
"""
BOOT = """
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
cp -a "$1.files/." .
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
    touch "dev/$name"
    mount --bind "/dev/$name" "dev/$name"
done
mkdir -p dev/shm dev/pts mnt/old
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
pivot_root . mnt/old
umount -l /mnt/old
exec env -i container=brood PATH="$PATH" /lib/systemd/systemd --system --log-target=journal --unit="$2"
"""
ISOLATED = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--net"]
CLUSTER = "nats.service founder.service brood-node@reefs.service" if nats else ""
STARTED = ("starting", "running", "degraded")
TUNED = "[Unit]\nStartLimitIntervalSec=0\n[Service]\nEnvironment=ASAN_OPTIONS=detect_leaks=0\nRestartSec=100ms\nWatchdogSec=20s\n"
NATS = "[Service]\nExecStart=/usr/bin/nats-server -a 127.0.0.1 -js -sd /srv/nats\n"
FOUNDER = """[Service]
ExecStartPre=/bin/sh -c 'until [ -d /srv/nats/jetstream ]; do sleep 0.2; done; sleep 1'
ExecStart=/usr/bin/brood crawl {words} --seed {seed} --allow-private --resolve '*:80:127.0.0.0/8:80' --delay 1s --pages 0 \
    --nats nats://127.0.0.1:4222 --name reefs --nodes 2 --lease 5s --out /srv/founder --quiet
"""
WEB = "[Service]\nExecStart=/usr/bin/brood world serve /srv/web --port 80\n"


def put(path, text):
    path = os.path.join(work, "boot.files", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def make_files():
    """What the system has besides this machine's files."""
    web = os.path.join(work, "boot.files/srv/web")
    os.makedirs(os.path.join(work, "boot.files/usr/bin"))
    os.makedirs(os.path.dirname(web))
    shutil.copy(brood, os.path.join(work, "boot.files/usr/bin/brood"))
    subprocess.run([brood, "world", "make", web, "--pages", "3000", "--hosts", "5", "--topics", "3"], check=True, capture_output=True)
    topic = json.loads(subprocess.run([brood, "world", "info", web, "--json"], check=True, capture_output=True).stdout)["topics"][0]
    for name in ("brood-serve.service", "brood-watch@.service", "brood-node@.service"):
        with open(os.path.join(source, "contrib/systemd", name)) as f:
            put(f"etc/systemd/system/{name}", f.read())
        put(f"etc/systemd/system/{name}.d/test.conf", TUNED)
    put("etc/systemd/system/web.service", WEB)
    put("etc/systemd/system/all.target", f"[Unit]\nWants=web.service brood-serve.service brood-watch@fish.service {CLUSTER}\n")
    if nats:
        shutil.copy(nats, os.path.join(work, "boot.files/usr/bin/nats-server"))
    put("etc/systemd/system/nats.service", NATS)
    put("etc/systemd/system/founder.service", FOUNDER.format(words=topic["words"][0], seed=topic["seeds"][0]))
    put("etc/brood/reefs.conf", "NATS=nats://127.0.0.1:4222\nOPTIONS=--trust\n")
    put("etc/brood/fish.yaml", f"words: {' '.join(topic['words'][:3])}\nseed:\n  - {topic['seeds'][0]}\nallow-private: yes\n"
        "resolve: '*:80:127.0.0.0/8:80'\ndelay: 500ms\nmodel: revisit\n")


def await_true(what, done):
    for _ in range(3000):
        if (value := done()):
            return value
        if system.poll() is not None:
            break
        time.sleep(0.2)
    raise TimeoutError(f"{what}\n{logged()}")


def first_process():
    with open(f"/proc/{system.pid}/task/{system.pid}/children") as f:
        return f.read().strip()


def inside(*args):
    command = ["nsenter", "-t", first_process(), "-a", "-r", "-w", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=600).stdout.strip()


def logged():
    return inside("journalctl", "--no-pager", "-n", "40", "-o", "cat")


def shown(unit, name):
    return inside("systemctl", "show", unit, "-p", name, "--value")


def is_active(unit):
    return lambda: shown(unit, "ActiveState") == "active"


def pages():
    """Of the watch, as its directory has them."""
    said = inside("brood", "stats", "/var/lib/private/brood/fish", "--json")
    return json.loads(said)["pages"] if said else 0


def both_start_and_say_that_they_are_ready():
    for unit in ("brood-serve.service", "brood-watch@fish.service"):
        await_true(f"{unit} is not ready", is_active(unit))
        assert shown(unit, "Type") == "notify" and shown(unit, "NRestarts") == "0", logged()
        with open(f"/proc/{first_process()}/root/proc/{shown(unit, 'MainPID')}/status") as f:
            status = dict(line.split(":", 1) for line in f.read().splitlines())
        assert int(status["Uid"].split()[0]) >= 61184, "a user that exists only while it runs"
        assert int(status["CapBnd"], 16) == 0 and int(status["Seccomp"]) == 2 and int(status["NoNewPrivs"]) == 1, status
    assert inside("sh", "-c", "ls -ld /var/lib/private/brood").startswith("drwx------"), "its state is its own"


def the_journal_has_the_address_of_the_dashboard():
    await_true("no address", lambda: "http://127.0.0.1:8400/#token=" in inside("journalctl", "-u", "brood-serve", "-o", "cat"))


def a_restart_loses_nothing():
    before = await_true("the watch stores nothing", lambda: pages() > 5 and pages())
    inside("systemctl", "restart", "brood-watch@fish.service")
    assert shown("brood-watch@fish.service", "ActiveState") == "active" and pages() >= before, logged()
    await_true("it does not go on", lambda: pages() > before)


def what_hangs_is_ended_and_started_again():
    unit = "brood-watch@fish.service"
    hung = shown(unit, "MainPID")
    inside("kill", "-STOP", hung)
    await_true("it hangs for ever", lambda: int(shown(unit, "NRestarts")) >= 1 and shown(unit, "ActiveState") == "active")
    assert "Watchdog timeout" in inside("journalctl", "-u", unit, "-o", "cat"), logged()
    before = pages()
    await_true("it does not go on", lambda: pages() > before)


def nodes_of():
    """The nodes that are there, as they are known on the bus."""
    said = inside("brood", "nodes", "--nats", "nats://127.0.0.1:4222", "--crawl", "reefs", "--json")
    return [n for n in json.loads(said)["nodes"] if n["partitions"] > 0] if said else []


def a_node_joins_its_crawl_and_joins_again_after_a_hang():
    if not nats:
        raise tap.Missing("nats-server")
    unit = "brood-node@reefs.service"
    await_true("the node does not start", is_active(unit))
    await_true("it has no share of the hosts", lambda: len(nodes_of()) == 2)
    hung = shown(unit, "MainPID")
    inside("kill", "-STOP", hung)
    await_true("nobody takes its place", lambda: len(nodes_of()) == 1)
    inside("kill", "-CONT", hung)
    await_true("it does not come back", lambda: len(nodes_of()) == 2 and shown(unit, "MainPID") != hung)


def stopping_is_no_failure():
    for unit in ("brood-serve.service", "brood-watch@fish.service", *(["brood-node@reefs.service"] if nats else [])):
        inside("systemctl", "stop", unit)
        assert shown(unit, "ActiveState") == "inactive" and shown(unit, "Result") == "success", logged()


def cannot_run():
    """Why no systemd can run here; empty: it can."""
    if os.geteuid() != 0:
        return "only root can start systemd"
    if not os.path.exists("/lib/systemd/systemd"):
        return "systemd is not installed"
    probe = 'mount -t tmpfs t "$0" && cd "$0" && mkdir u w m && mount -t overlay o -o lowerdir=/,upperdir=u,workdir=w m && mount -t cgroup2 c w'
    ran = subprocess.run([*ISOLATED, "sh", "-c", probe, work], capture_output=True, text=True)
    return "" if ran.returncode == 0 else "no overlay or cgroup of its own can be made here"


tests = [both_start_and_say_that_they_are_ready, the_journal_has_the_address_of_the_dashboard, a_restart_loses_nothing,
         what_hangs_is_ended_and_started_again, a_node_joins_its_crawl_and_joins_again_after_a_hang, stopping_is_no_failure]
failed, system = 0, None
try:
    if (why := cannot_run()):
        print(f"1..0 # SKIP {why}")
        sys.exit(0)
    print(f"1..{len(tests)}")
    make_files()
    boot = os.path.join(work, "boot")
    os.mkdir(boot)
    arguments = [boot, "all.target", os.path.basename(work)]
    system = subprocess.Popen([*ISOLATED, "sh", "-c", GROUP, BOOT, *arguments], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    await_true("systemd does not start", lambda: first_process() and inside("systemctl", "is-system-running") in STARTED)
    for number, test in enumerate(tests, 1):
        failed |= not tap.ran(number, test)
finally:
    if system:
        system.kill()  # and with it the first process, and so all of them
        system.wait()
        subprocess.run(["unshare", "--mount", "sh", "-c", UNGROUP, "sh", *arguments], capture_output=True)
    shutil.rmtree(work)
sys.exit(failed)
