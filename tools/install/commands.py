"""What the writers of all packages use: the release, its machines, and running programs."""
import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path


class PackageError(Exception):
    """An error message for the user of package.py or release.py."""


@dataclass(frozen=True)
class Machine:
    name: str  # As `uname -m` prints it; the others as Debian, Docker and Homebrew, and Node and MCPB name it.
    debian: str
    node: str
    homebrew: str


@dataclass
class Target:
    """The programs of one machine."""
    machine: Machine
    tree: Path  # The files of the tarball: bin/, share/, LICENSE, README.
    packages: list = field(default_factory=list)  # Those of Debian whose code is in the programs (linked.Package).

    @property
    def program(self):
        return self.tree / "bin/snapgen-server"

    @property
    def licences(self):
        return self.tree / "share/doc/snapgen/licenses"


@dataclass(frozen=True)
class Release:
    description: dict  # description.json
    version: str
    date: int  # The time of all files, in seconds since 1970.
    level: int  # How much to compress, from 1 to 9.
    out: Path
    work: Path  # For files that are deleted at the end.

    @property
    def created(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.date))

    def url(self, name):
        """Returns where a file of the release is published."""
        return f"{self.description['repository']}/releases/download/v{self.version}/{name}"


def run(*command, folder=None, **environment):
    """Runs a command, which must succeed. Returns its output."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment},
                              stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise PackageError(f"{words[0]} is not installed") from None
    if done.returncode:
        raise PackageError(f"{' '.join(words)} ended with {done.returncode}\n{done.stderr.strip()}")
    return done.stdout
