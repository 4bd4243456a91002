#!/usr/bin/env python3
"""Prepares a release: sets the version, and writes the changes since the last tag into CHANGELOG.md.

    release.py VERSION

It commits nothing and publishes nothing, but prints the next commands.
"""
import os
import re
import sys
import time
from pathlib import Path

from commands import PackageError, run

SOURCE = Path(__file__).resolve().parent.parent.parent
# Each file in which the version or its date is written, with the text around it.
VERSIONS = {"meson.build": r"(^  version : ')[^']+(')", "tools/bridge/client/package.json": r'(^  "version": ")[^"]+(")'}
DATES = {"meson.build": r'(-DSNAPGEN_DATE=")[^"]+(")'}
HEADING = "# Changelog\n"

NEXT = """CHANGELOG.md and the version are written. Edit the changes for users, then:
  ./dev test --all
  git add --all && git commit --message "install: set the version to {version}"
  git tag --sign v{version} --message "snapgen {version}"
  ./dev package
docs/release.md has the commands that publish each package.
"""


def git(*words):
    return run("git", "-C", SOURCE, *words)


def numbers(version):
    return [int(part) for part in version.split(".")]


def check(version):
    """Checks the version against those that were released, and that all work is committed."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise PackageError(f"{version} is not a version; use three numbers such as 1.2.3")
    released = [tag[1:] for tag in git("tag", "--list", "v*").split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    newest = max(released, key=numbers, default=None)
    if newest and numbers(version) <= numbers(newest):
        raise PackageError(f"{version} is not newer than {newest}, the last release")
    if git("status", "--porcelain"):
        raise PackageError("the work tree has changes; commit or remove them first")
    return newest


def replace(patterns, value):
    """Replaces what is between the two groups of each file's pattern."""
    for name, pattern in patterns.items():
        text, count = re.subn(pattern, rf"\g<1>{value}\g<2>", (SOURCE / name).read_text(), flags=re.MULTILINE)
        if count != 1:
            raise PackageError(f"{name} has {count} matches of {pattern}, not 1")
        (SOURCE / name).write_text(text)


def changes_since(last):
    """Returns the subjects of the commits by area, each list with the newest first."""
    if not last:
        return "The first release.\n"
    areas = {}
    for subject in git("log", "--no-merges", "--format=%s", f"v{last}..HEAD").splitlines():
        area, separator, summary = subject.partition(": ")
        areas.setdefault(area if separator else "other", []).append(summary or subject)
    return "\n".join(f"### {area}\n\n" + "".join(f"- {each}\n" for each in areas[area]) for area in sorted(areas))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    version = sys.argv[1]
    last = check(version)
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    replace(VERSIONS, version)
    replace(DATES, date)
    log = SOURCE / "CHANGELOG.md"
    before = log.read_text().removeprefix(HEADING) if log.is_file() else ""
    log.write_text(f"{HEADING}\n## {version} ({date})\n\n{changes_since(last)}{before}")
    print(NEXT.format(version=version), end="")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as error:
        print(f"release: {error}", file=sys.stderr)
        sys.exit(1)
