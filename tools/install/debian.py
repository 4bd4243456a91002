"""The Debian package: control files, documents as Debian requires them, and dpkg-deb."""
import email.utils
import gzip
import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from commands import git_library, linked_archives, loaded_at_need, packages_of, run

SOURCE = Path(__file__).resolve().parent.parent.parent

DESCRIPTION = """gives AI coding agents safe access to a git repository
 An MCP server and command line for a git repository: snapshots with
 content-addressed ids, reads that detect concurrent edits, writes that are done
 completely or not at all, tasks with checks and a memory, and a bridge to the
 Snap! IDE in a browser.
 .
 snap and snapback are the command line, snapgen-server is what hosts start.
 snapgen turns JSON Schema files into C++ structs, readers and MCP tools."""

OVERRIDES = """# Linked with Debian's static libraries (see Built-Using), because each shared library makes every start slower.
snapgen: embedded-library zlib *
"""


def maintainer():
    """Returns the maintainer from the variables that Debian's tools use."""
    return f"{os.environ.get('DEBFULLNAME', 'the snapgen authors')} <{os.environ.get('DEBEMAIL', 'snapgen@localhost')}>"


def needs(binaries):
    """Returns the value of Depends: linked libraries as dpkg-shlibdeps reports them, and libgit2, which is opened by name."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text("Source: snapgen\n\nPackage: snapgen\nArchitecture: any\n")
        linked = run("dpkg-shlibdeps", "-O", *(f"-e{each}" for each in binaries), folder=folder)
    return ", ".join(sorted([*linked.strip().removeprefix("shlibs:Depends=").split(", "), need_of(git_library())]))


def need_of(library):
    """Returns the package of a library and its minimum version: "libgit2-1.5 (>= 1.5.1+ds)"."""
    (package,) = packages_of([loaded_at_need(library)])
    for shlibs in Path("/var/lib/dpkg/info").glob(f"{package}*.shlibs"):
        match = re.search(rf"^\S+ \S+ ({re.escape(package)}\b.*)$", shlibs.read_text(), re.MULTILINE)
        if match:
            return match[1]
    return package


def linked_sources(build):
    """Returns the source packages whose code is in the binaries, with their versions."""
    packages = sorted(packages_of(linked_archives(build)))
    wanted = "${source:Package} (= ${source:Version})\n"
    return ", ".join(sorted(set(run("dpkg-query", "-W", f"-f={wanted}", *packages).splitlines())))


def packed(path, data):
    """Writes `path`.gz as Debian requires it: with the best compression, without a name and a time."""
    with open(f"{path}.gz", "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=9) as out:
        out.write(data)


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
            packed(page, text)


def package(prefix, out, version, date, build, level):
    root = out / "debian"
    for each in ("bin", "share/man", "share/bash-completion", "share/zsh", "share/fish"):
        shutil.copytree(prefix / each, root / "usr" / each, symlinks=True)
    # Packages have zsh completions in vendor-completions; site-functions is for /usr/local.
    shutil.move(root / "usr/share/zsh/site-functions", root / "usr/share/zsh/vendor-completions")
    pack_manual(root / "usr/share/man/man1")
    documents = root / "usr/share/doc/snapgen"
    documents.mkdir(parents=True)
    shutil.copyfile(SOURCE / "LICENSE", documents / "copyright")
    (root / "usr/share/lintian/overrides").mkdir(parents=True)
    (root / "usr/share/lintian/overrides/snapgen").write_text(OVERRIDES)
    when = email.utils.formatdate(date)
    packed(documents / "changelog", f"snapgen ({version}) unstable; urgency=medium\n\n  * Version {version}.\n\n"
                                    f" -- {maintainer()}  {when}\n".encode())
    files = sorted(each for each in root.rglob("*") if not each.is_dir())
    size = sum(1 if each.is_symlink() or each.is_dir() else -(-each.stat().st_size // 1024) for each in root.rglob("*"))
    architecture = run("dpkg", "--print-architecture").strip()
    control = {
        "Package": "snapgen", "Version": version, "Architecture": architecture, "Maintainer": maintainer(),
        "Installed-Size": str(size),
        "Depends": needs([each for each in sorted((prefix / "bin").iterdir()) if not each.is_symlink()]),
        "Recommends": f"git, {need_of('libcurl.so.4')}",
        # The package snapd also has /usr/bin/snap.
        "Conflicts": "snapd",
        "Section": "vcs", "Priority": "optional", "Built-Using": linked_sources(build), "Description": DESCRIPTION,
    }
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("".join(f"{key}: {value}\n" for key, value in control.items()))
    (root / "DEBIAN/md5sums").write_text("".join(
        f"{hashlib.md5(each.read_bytes()).hexdigest()}  {each.relative_to(root)}\n" for each in files if not each.is_symlink()))
    for each in root.rglob("*"):
        if not each.is_symlink():
            each.chmod(0o755 if each.is_dir() or each.parent.name == "bin" else 0o644)
    target = out / f"snapgen_{version}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=1", "--build", root, target)
    return target
