"""Runs programs, and finds files and packages of the system."""
import os
import re
import subprocess
from pathlib import Path


class PackageError(Exception):
    """An error message for the user of package.py."""


def run(*command, folder=None, **environment):
    """Runs a command, which must succeed. Returns its output."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment}, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise PackageError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def loaded_at_need(name):
    """Returns the path at which the loader finds a library that a program opens by name."""
    for line in run("/sbin/ldconfig", "-p").splitlines():
        match = re.match(rf"\s*{re.escape(name)} \(.*\) => (\S+)", line)
        if match:
            return Path(match[1])
    raise PackageError(f"{name} is not installed")


def git_library():
    """Returns the library that tools/engine/git opens: the version whose headers it is built with."""
    header = Path("/usr/include/git2/version.h").read_text()
    major, minor = (re.search(rf"LIBGIT2_VER_{part}\s+(\d+)", header)[1] for part in ("MAJOR", "MINOR"))
    return f"libgit2.so.{major}.{minor}"


def linked_archives(build):
    """Returns the system's static libraries that snapgen-server is linked with."""
    words = run("ninja", "-C", build, "-t", "commands", "-s", "snapgen-server").split()
    return sorted({Path(word).resolve() for word in words if word.startswith("/usr/") and word.endswith(".a")})


def packages_of(files):
    """Returns the Debian packages that have the files: {"libre2-dev", ...}."""
    # dpkg records one path of a file, with or without its symlinks resolved, below /usr/lib or /lib. Query all of them.
    names = {path: {str(each).replace("/usr/lib/", start, 1) for each in (path, path.resolve()) for start in ("/usr/lib/", "/lib/")}
             for path in files}
    asked = subprocess.run(["dpkg-query", "-S", *sorted(set().union(*names.values()))], capture_output=True, text=True, check=False)
    brings = {line.split(": ", 1)[1]: line.split(":")[0] for line in asked.stdout.splitlines() if ": /" in line}
    found = set()
    for path, known in names.items():
        packages = {brings[name] for name in known if name in brings}
        if not packages:
            raise PackageError(f"no installed package has the file {path}")
        found |= packages
    return found
