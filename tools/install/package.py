#!/usr/bin/env python3
"""Creates the packages from a release build: a Debian package, a tarball and an npm package.

    package.py --build BUILD --out FOLDER [--quick]
    package.py --targets BUILD              prints the ninja targets that must be built before, one per line

The same commit, compiler and system give the same bytes: times are SOURCE_DATE_EPOCH or that of the last commit, names
are sorted, and root is the owner. Nothing is published.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

import bundle
import debian
from commands import PackageError, run

PLACE = Path(__file__).resolve().parent
SOURCE = PLACE.parent.parent
MACHINES = {"x86_64": "x64", "aarch64": "arm64"}  # Node's names


def date_of(source):
    """Returns the time of all files, in seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said:
        if not said.isdigit():
            raise PackageError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {said}")
        return int(said)
    try:
        return int(run("git", "-C", source, "log", "-1", "--format=%ct"))
    except (PackageError, FileNotFoundError):
        raise PackageError("this is not a git repository; set SOURCE_DATE_EPOCH to the time of the files in seconds") from None


def targets(build):
    known = json.loads(run("meson", "introspect", "--targets", build))
    return sorted(str(Path(name).relative_to(build)) for each in known if each["installed"] for name in each["filename"])


def stage(build, folder):
    """Installs with `meson install` and strips the programs. Returns the folder of the prefix."""
    options = {each["name"]: each["value"] for each in json.loads(run("meson", "introspect", "--buildoptions", build))}
    if options["b_sanitize"] != "none" or options["buildtype"] != "release":
        raise PackageError(f"{build} is not a release build")
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", DESTDIR=str(folder))
    prefix = folder / options["prefix"].lstrip("/")
    for each in sorted((prefix / "bin").iterdir()):
        if not each.is_symlink():
            run("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", each)
    return prefix


def npm_package(tree, folder, version):
    """Runs `npm pack` with the tree of the tarball. Returns the archive. npm does not pack symlinks."""
    machine = MACHINES.get(os.uname().machine, os.uname().machine)
    shutil.copytree(PLACE / "npm", folder)
    home = folder / f"linux-{machine}"
    (home / "bin").mkdir(parents=True)
    shutil.copyfile(tree / "bin/snapgen-server", home / "bin/snapgen-server")
    (home / "bin/snapgen-server").chmod(0o755)
    shutil.copytree(tree / "lib", home / "lib")
    shutil.copytree(tree / "share/doc/snapgen/licenses", folder / "licenses")
    shutil.copyfile(tree / "LICENSE", folder / "LICENSE")
    (folder / "man").mkdir()
    for each in sorted((tree / "share/man/man1").iterdir()):
        if re.match(r"snap[.-]|snapback\.|snapgen-server\.", each.name):
            shutil.copyfile(each, folder / "man" / each.name)
    page = json.loads((folder / "package.json").read_text())
    page |= {"version": version, "cpu": [machine], "files": ["bin", "launch.js", home.name, "licenses", "man"],
             "man": [f"./man/{each.name}" for each in sorted((folder / "man").iterdir())]}
    (folder / "package.json").write_text(json.dumps(page, indent=2) + "\n")
    name = run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder.parent, folder=folder).strip()
    return folder.parent / name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=Path, metavar="BUILD")
    parser.add_argument("--build", type=Path, help="a release build in which all installed targets are built")
    parser.add_argument("--out", type=Path, help="the output folder, which is deleted and created again")
    parser.add_argument("--quick", action="store_true", help="compress less, in a third of the time")
    arguments = parser.parse_args()
    if arguments.targets:
        print("\n".join(targets(arguments.targets.resolve())))
        return 0
    if not arguments.build or not arguments.out:
        parser.error("--build and --out are needed")
    build, out = arguments.build.resolve(), arguments.out.resolve()
    os.umask(0o022)
    date = date_of(SOURCE)
    os.environ["SOURCE_DATE_EPOCH"] = str(date)
    version = json.loads(run("meson", "introspect", "--projectinfo", build))["version"]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    prefix = stage(build, out / "stage")
    tree = out / f"snapgen-{version}-linux-{os.uname().machine}"
    made = [debian.package(prefix, out, version, date, build, 0 if arguments.quick else 6)]
    bundle.assemble(prefix, tree, build, version)
    made.append(bundle.tarball(tree, date, 1 if arguments.quick else 9))
    made.append(npm_package(tree, out / "npm", version))
    for each in (out / "stage", out / "debian", out / "npm", tree):
        shutil.rmtree(each)
    made.sort()
    (out / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in made))
    for each in made:
        print(f"{each}  {each.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as error:
        print(f"package: {error}", file=sys.stderr)
        sys.exit(1)
