"""The tarball: the programs, and the shared libraries that a minimal system lacks. Programs find them relative to their own
folder."""
import gzip
import io
import os
import re
import shutil
import tarfile
from pathlib import Path

from commands import PackageError, git_library, linked_archives, loaded_at_need, packages_of, run

# Libraries of the C library. They must match the loader, which cannot be found relative to a program.
OF_THE_SYSTEM = re.compile(r"(?:linux-vdso|ld-linux.*|lib(?:c|m|dl|rt|pthread|resolv|util))\.so[.\d]*")
# Packages whose headers are compiled into the programs, without a linked library.
HEADERS = ("libboost1.81-dev", "libcli11-dev", "libtomlplusplus-dev")

READ_ME = """snapgen {version} for Linux on {machine}, with glibc {glibc} or newer.

bin/ has the programs. Unpack the folder anywhere and call them by their paths, or copy bin, lib and share to one prefix
such as /usr/local: the programs find lib/snapgen relative to bin. share/ has manual pages, and completions for bash, zsh
and fish.

lib/snapgen has the libraries that the programs load:
{libraries}
Not included: the C library, and libcurl.so.4, which is loaded only if .snapback/config.json configures an API. The
programs run git only if a repository requires it (filters, hooks).

The licence is in LICENSE. The licences of the libraries are in share/doc/snapgen/licenses.
"""


def libraries_of(binary):
    """Returns the libraries that the loader finds for a program, without those of the C library: {name: path}."""
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
    """Returns the newest version of the C library whose symbols the programs use."""
    versions = set()
    for each in binaries:
        versions |= {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", run("objdump", "-T", each))}
    return ".".join(map(str, max(versions)))


def add_licences(folder, files):
    """Copies Debian's copyright file of each package that has one of the files or of HEADERS."""
    folder.mkdir(parents=True)
    for name in sorted({*packages_of(files), *HEADERS}):
        text = Path("/usr/share/doc") / name / "copyright"
        if not text.is_file():
            raise PackageError(f"{text} is missing, so the licence of {name} cannot be included")
        shutil.copyfile(text, folder / name)


def assemble(prefix, tree, build, version):
    """Copies the programs and their files from the installation below `prefix`, and adds the libraries that they load."""
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
        # Each library searches its own folder. The dependencies of the system's libraries are not searched there.
        run("patchelf", "--set-rpath", "$ORIGIN", home / name)
    for each in programs:
        run("patchelf", "--set-rpath", "$ORIGIN/../lib/snapgen", each)
    add_licences(tree / "share/doc/snapgen/licenses", [*libraries.values(), *linked_archives(build)])
    names = "".join(f"  {name}\n" for name in sorted(libraries))
    glibc = needed_glibc([*programs, *home.iterdir()])
    (tree / "README").write_text(READ_ME.format(version=version, machine=os.uname().machine, glibc=glibc, libraries=names))


def tarball(tree, date, level):
    """Writes TREE.tar.gz beside the tree: with sorted names, the time `date`, and root as owner."""
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
