#!/usr/bin/env python3
"""Creates all packages of a version from release builds, one for each machine.

    package.py --build BUILD [--build BUILD]... --out FOLDER [--extension NODE TYPES] [--quick]

In each build folder, snapgen-server and snapgen must be built, without shared libraries. One of them must be for this
machine: its programs write the manual pages and completions, and list the tools. The same commit and build folders give
the same bytes: times are SOURCE_DATE_EPOCH or that of the last commit, names are sorted, and root is the owner. Nothing is
published.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

import debian
import image
import linked
import mcp_bundle
import npm_packages
import plugins
from archives import write_tar_gz
from commands import Machine, PackageError, Release, Target, run

SOURCE = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ["snapgen-server", "snapgen"]
MACHINES = {"Advanced Micro Devices X86-64": Machine("x86_64", "amd64", "x64", "intel"),
            "AArch64": Machine("aarch64", "arm64", "arm64", "arm")}

READ_ME = """snapgen {version} for Linux on {machine}.

bin/ has the programs, which load no library. Call them by their paths, or copy bin and share to a prefix such as
/usr/local. share/ has manual pages, and completions for bash, zsh and fish. The programs run git only if a repository
requires it (filters, hooks).

The licence is in LICENSE. share/doc/snapgen/licenses has the licences of the libraries that the programs contain, and
says how to link them with other versions.
"""

FORMULA = """class Snapgen < Formula
  desc "{description[summary]}"
  homepage "{description[repository]}"
  version "{version}"
  license "{description[license]}"
  depends_on :linux

  on_linux do
{machines}  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
    doc.install Dir["share/doc/snapgen/*"]
  end

  test do
    assert_equal "snapgen #{{version}}\\n", shell_output("#{{bin}}/snap --version")
  end
end
"""

FORMULA_OF_MACHINE = """    on_{homebrew} do
      url "{url}"
      sha256 "{sha256}"
    end
"""


def date_of(source):
    """Returns the time of all files, in seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said:
        if not said.isdigit():
            raise PackageError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {said}")
        return int(said)
    try:
        return int(run("git", "-C", source, "log", "-1", "--format=%ct"))
    except PackageError:
        raise PackageError("this is not a git repository; set SOURCE_DATE_EPOCH to the time of the files in seconds") from None


def version_of(builds):
    versions = {json.loads(run("meson", "introspect", "--projectinfo", each))["version"] for each in builds}
    if len(versions) != 1:
        raise PackageError(f"the build folders have several versions: {' '.join(sorted(versions))}")
    return versions.pop()


def machine_of(build):
    """Returns the machine of a build folder, which must be a release build with static programs."""
    options = {each["name"]: each["value"] for each in json.loads(run("meson", "introspect", "--buildoptions", build))}
    if options["b_sanitize"] != "none" or options["buildtype"] != "release":
        raise PackageError(f"{build} is not a release build")
    for name in PROGRAMS:
        if not (build / name).is_file():
            raise PackageError(f"{build}/{name} is missing; build it first: ninja -C {build} {' '.join(PROGRAMS)}")
        header = run("readelf", "--file-header", "--program-headers", "--dynamic", "--wide", build / name)
        loaded = re.findall(r"program interpreter: (\S+)\]|\(NEEDED\).*\[(\S+)\]", header)
        if loaded:
            raise PackageError(f"{build}/{name} is not static: it loads {' '.join(sorted(''.join(each) for each in loaded))}")
    return MACHINES[re.search(r"Machine: +(.*)", header)[1]]


def copy_programs(build, machine, folder):
    folder.mkdir(parents=True)
    for name in PROGRAMS:
        shutil.copyfile(build / name, folder / name)
        (folder / name).chmod(0o755)
        run(f"{machine.name}-linux-gnu-strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", folder / name)
    for name in ("snap", "snapback"):
        (folder / name).symlink_to("snapgen-server")


def write_pages(targets, work):
    """Writes the manual pages and completions with the programs of this machine. They are the same for all machines."""
    here = [each for each in targets if each.machine.name == os.uname().machine]
    if not here:
        raise PackageError("no build folder is for this machine, whose programs write the manual pages")
    (work / "pages").mkdir()
    run(SOURCE / "runtime/install/write_pages", work / "pages", here[0].tree / "bin/snap", here[0].tree / "bin/snapgen")
    for target in targets:
        for name, place in (("man1", "man"), ("completions", "bash-completion"), ("site-functions", "zsh"), ("vendor_completions.d", "fish")):
            shutil.copytree(work / "pages" / name, target.tree / "share" / place / name)
    return here[0]


def targets_of(builds, release):
    targets = []
    for build in builds:
        machine = machine_of(build)
        target = Target(machine, release.work / f"snapgen-{release.version}-linux-{machine.debian}",
                        linked.linked_packages(build, PROGRAMS))
        if target.tree.exists():
            raise PackageError(f"two build folders are for {machine.name}")
        copy_programs(build, machine, target.tree / "bin")
        linked.write_licences(target.licences, target.packages, release, machine)
        shutil.copyfile(SOURCE / "LICENSE", target.tree / "LICENSE")
        (target.tree / "README").write_text(READ_ME.format(version=release.version, machine=machine.name))
        targets.append(target)
    return targets


def write_formula(path, release, targets):
    machines = ""
    for each in targets:
        name = f"{each.tree.name}.tar.gz"
        digest = hashlib.sha256((release.out / name).read_bytes()).hexdigest()
        machines += FORMULA_OF_MACHINE.format(homebrew=each.machine.homebrew, url=release.url(name), sha256=digest)
    path.write_text(FORMULA.format(description=release.description, version=release.version, machines=machines))


def write_all(release, builds):
    """Writes all packages into the output folder."""
    targets = targets_of(builds, release)
    here = write_pages(targets, release.work)
    for each in targets:
        write_tar_gz(release.out / f"{each.tree.name}.tar.gz", each.tree, f"{each.tree.name}/", release.date, release.level)
        linked.write_sbom(release.out / f"{each.tree.name}.spdx.json", each.packages, release)
        debian.write_package(release, each)
    npm_packages.write_packages(release, targets, here)
    mcp_bundle.write_bundles(release, targets, here)
    image.write_image(release, targets)
    write_formula(release.out / "snapgen.rb", release, targets)
    programs = {each.machine.name: each.program for each in targets}
    for host, folder in plugins.write_all(release.work / "plugins", release.description, release.version, programs).items():
        name = f"snapgen-{release.version}-plugin-{host}"
        shutil.copytree(here.licences, next(folder.rglob("bin")).parent / "licenses")
        write_tar_gz(release.out / f"{name}.tar.gz", folder, f"{name}/", release.date, release.level)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, action="append", required=True, help="a release build of one machine")
    parser.add_argument("--out", type=Path, required=True, help="the output folder, which is deleted and created again")
    parser.add_argument("--extension", nargs=2, metavar=("NODE", "TYPES"),
                        help="also write the archives of the browser's extension, with Node and the folder of generated types")
    parser.add_argument("--quick", action="store_true", help="compress less, in a third of the time")
    arguments = parser.parse_args()
    builds, out = [each.resolve() for each in arguments.build], arguments.out.resolve()
    os.umask(0o022)
    date = date_of(SOURCE)
    os.environ |= {"SOURCE_DATE_EPOCH": str(date), "LC_ALL": "C"}
    release = Release(plugins.read_description(), version_of(builds), date, 1 if arguments.quick else 9, out, out / "work")
    shutil.rmtree(out, ignore_errors=True)
    release.work.mkdir(parents=True)
    write_all(release, builds)
    if arguments.extension:
        node, types = arguments.extension
        run(node, SOURCE / "tools/bridge/extension/build.mjs", out, "--version", release.version, "--types", types)
    shutil.rmtree(release.work)
    made = sorted(out.iterdir())
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
