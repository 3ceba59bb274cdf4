"""What the scripts of this folder share: a test is run and reported as a line of TAP.

SPDX-License-Identifier: MIT
"""

import traceback


class Missing(Exception):
    """What a test needs and this machine lacks."""


def title(test):
    return test.__name__.replace("_", " ")


def lacking(what):
    """A test that cannot run."""
    def cannot():
        raise Missing(what)
    return cannot


def ran(number, test, name=None):
    """False where it failed."""
    line = f"{number} - {name or title(test)}"
    try:
        test()
        print(f"ok {line}")
    except Missing as what:
        print(f"ok {line} # SKIP {what} is not there")
    except Exception:
        print(f"not ok {line}")
        print("".join("# " + part for part in traceback.format_exc().splitlines(True)))
        return False
    return True
