"""The tarball: the programs, and the shared libraries that a bare system lacks, which they find from where they stand."""
import gzip
import io
import os
import re
import shutil
import tarfile
from pathlib import Path

from commands import PackageError, git_library, linked_archives, loaded_at_need, packages_of, run

# The C library's own: of one piece with the loader, which cannot be found relative to a program.
OF_THE_SYSTEM = re.compile(r"(?:linux-vdso|ld-linux.*|lib(?:c|m|dl|rt|pthread|resolv|util))\.so[.\d]*")
# What is compiled in without being linked.
HEADERS = ("libboost1.81-dev", "libcli11-dev", "libtomlplusplus-dev")

READ_ME = """snapgen {version} for Linux on {machine}, with glibc {glibc} or newer.

bin/ has the programs. Unpack the folder anywhere and call them by their paths, or copy bin, lib and share below one
prefix, as /usr/local: they find lib/snapgen from where they stand. share/ has manual pages, and completions for bash,
zsh and fish.

lib/snapgen has what the programs load:
{libraries}
Not here: the C library, and libcurl.so.4, which is opened if .snapback/config.json configures an API and for nothing
else. git is called where a repository needs more than its files (filters, hooks).

The licence is in LICENSE, those of what is loaded and linked in share/doc/snapgen/licenses.
"""


def libraries_of(binary):
    """What the loader finds for it, without the C library's own: {name: where}."""
    found = {}
    for line in run("ldd", binary).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if not match or OF_THE_SYSTEM.fullmatch(match[1]):
            continue
        if match[2] == "not":
            raise PackageError(f"{binary} needs {match[1]}, which is not installed")
        found[match[1]] = Path(match[2])
    return found


def needed_glibc(binaries):
    """The newest version of the C library whose symbols they ask for."""
    versions = set()
    for each in binaries:
        versions |= {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", run("objdump", "-T", each))}
    return ".".join(map(str, max(versions)))


def add_licences(folder, files):
    """Debian's copyright file of each package that brings one of the files, or a header."""
    folder.mkdir(parents=True)
    for name in sorted({*packages_of(files), *HEADERS}):
        text = Path("/usr/share/doc") / name / "copyright"
        if not text.is_file():
            raise PackageError(f"{text} is not there, so that nobody can be told the licence of {name}")
        shutil.copyfile(text, folder / name)


def assemble(prefix, tree, build, version):
    """Copies what runs from the installation below `prefix`, and adds what it loads."""
    shutil.copytree(prefix / "bin", tree / "bin", symlinks=True)
    for each in ("man", "bash-completion", "zsh", "fish", "doc"):
        shutil.copytree(prefix / "share" / each, tree / "share" / each)
    shutil.move(tree / "share/doc/snapgen/LICENSE", tree / "LICENSE")
    programs = [each for each in sorted((tree / "bin").iterdir()) if not each.is_symlink()]
    git = loaded_at_need(git_library())
    libraries = {git_library(): git, **libraries_of(git)}
    for each in programs:
        libraries |= libraries_of(each)
    home = tree / "lib/snapgen"
    home.mkdir(parents=True)
    for name, path in libraries.items():
        shutil.copyfile(path, home / name)
        # Each looks beside itself; what the system's own libraries need is not looked for here.
        run("patchelf", "--set-rpath", "$ORIGIN", home / name)
    for each in programs:
        run("patchelf", "--set-rpath", "$ORIGIN/../lib/snapgen", each)
    add_licences(tree / "share/doc/snapgen/licenses", [*libraries.values(), *linked_archives(build)])
    names = "".join(f"  {name}\n" for name in sorted(libraries))
    glibc = needed_glibc([*programs, *home.iterdir()])
    (tree / "README").write_text(READ_ME.format(version=version, machine=os.uname().machine, glibc=glibc, libraries=names))


def tarball(tree, date, level):
    """TREE.tar.gz beside it: names in order, times of `date`, everything root's."""
    def same(info):
        info.mtime = date
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info

    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in [tree, *sorted(tree.rglob("*"))]:
            archive.add(each, arcname=str(each.relative_to(tree.parent)), recursive=False, filter=same)
    target = tree.with_name(tree.name + ".tar.gz")
    with open(target, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=date, compresslevel=level) as packed:
        packed.write(plain.getvalue())
    return target
