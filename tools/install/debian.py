"""The Debian package: control files, documents as Debian requires them, and dpkg-deb."""
import email.utils
import hashlib
import os
import shutil
from pathlib import Path

from archives import gzip_bytes
from commands import run

SOURCE = Path(__file__).resolve().parent.parent.parent

DESCRIPTION = """gives AI coding agents safe access to a git repository
 An MCP server and command line for a git repository: snapshots with
 content-addressed ids, reads that detect concurrent edits, writes that are done
 completely or not at all, tasks with checks and a memory, and a bridge to the
 Snap! IDE in a browser.
 .
 snap and snapback are the command line, snapgen-server is what hosts start.
 snapgen turns JSON Schema files into C++ structs, readers and MCP tools."""

OVERRIDES = """# The programs load no library, so that they run on every Linux and start faster. Built-Using has what they contain.
snapgen: statically-linked-binary *
snapgen: embedded-library *
"""


def maintainer():
    """Returns the maintainer from the variables that Debian's tools use."""
    return f"{os.environ.get('DEBFULLNAME', 'the snapgen authors')} <{os.environ.get('DEBEMAIL', 'snapgen@localhost')}>"


def write_gz(path, data):
    """Writes `path`.gz as Debian requires it: with the best compression, without a name and a time."""
    Path(f"{path}.gz").write_bytes(gzip_bytes(data, 0, 9))


def pack_manual(folder):
    """Compresses the manual pages. Of pages with equal text, one is a file and the others are symlinks to it."""
    first = {}
    for page in sorted(folder.iterdir()):
        text = page.read_bytes()
        page.unlink()
        if text in first:
            page.with_name(page.name + ".gz").symlink_to(first[text])
        else:
            first[text] = page.name + ".gz"
            write_gz(page, text)


def write_package(release, target):
    root = release.work / f"debian-{target.machine.debian}"
    for each in ("bin", "share"):
        shutil.copytree(target.tree / each, root / "usr" / each, symlinks=True)
    # Packages have zsh completions in vendor-completions; site-functions is for /usr/local.
    shutil.move(root / "usr/share/zsh/site-functions", root / "usr/share/zsh/vendor-completions")
    pack_manual(root / "usr/share/man/man1")
    documents = root / "usr/share/doc/snapgen"
    shutil.copyfile(SOURCE / "LICENSE", documents / "copyright")
    (root / "usr/share/lintian/overrides").mkdir(parents=True)
    (root / "usr/share/lintian/overrides/snapgen").write_text(OVERRIDES)
    write_gz(documents / "changelog", f"snapgen ({release.version}) unstable; urgency=medium\n\n  * Version {release.version}.\n\n"
                                      f" -- {maintainer()}  {email.utils.formatdate(release.date)}\n".encode())
    files = sorted(each for each in root.rglob("*") if not each.is_dir())
    size = sum(1 if each.is_symlink() or each.is_dir() else -(-each.stat().st_size // 1024) for each in root.rglob("*"))
    sources = sorted({f"{each.source} (= {each.source_version})" for each in target.packages if each.is_archive})
    control = {
        "Package": "snapgen", "Version": release.version, "Architecture": target.machine.debian, "Maintainer": maintainer(),
        "Installed-Size": str(size), "Recommends": "git",
        # The package snapd also has /usr/bin/snap.
        "Conflicts": "snapd",
        "Section": "vcs", "Priority": "optional", "Homepage": release.description["repository"], "Built-Using": ", ".join(sources),
        "Description": DESCRIPTION,
    }
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("".join(f"{key}: {value}\n" for key, value in control.items()))
    (root / "DEBIAN/md5sums").write_text("".join(
        f"{hashlib.md5(each.read_bytes()).hexdigest()}  {each.relative_to(root)}\n" for each in files if not each.is_symlink()))
    for each in root.rglob("*"):
        if not each.is_symlink():
            each.chmod(0o755 if each.is_dir() or each.parent.name == "bin" else 0o644)
    level = 0 if release.level == 1 else 6
    run("dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=1", "--build", root,
        release.out / f"snapgen_{release.version}_{target.machine.debian}.deb")
