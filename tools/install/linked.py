"""The packages of Debian whose code is in the programs: their versions, sources and licences, and the list of them (SBOM).

They are those of the archives that the programs are linked with, and those of the headers that were compiled into them.
"""
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from commands import PackageError, run
from plugins import write_json, write_text

COMMON_LICENCES = Path("/usr/share/common-licenses")

READ_ME = """The programs of snapgen are under the licence of snapgen (MIT). They are linked with the libraries below, and contain
code of their headers. Each file in this folder is the copyright file of a package of Debian, and common-licenses has the
licences that these files refer to.

You get the source of a package on Debian with `apt-get source PACKAGE`, or at
https://snapshot.debian.org/package/SOURCE/VERSION/

You may link the programs with another version of a library, such as the C library (LGPL 2.1, section 6):
  git clone --branch v{version} {repository} snapgen && cd snapgen
  ./dev package --static        # compiles the objects, and links them
Then replace the archive, such as build-sysroot-{machine}/usr/lib/{machine}-linux-gnu/libc.a, and link again:
  ninja -C build-package-{machine} -t clean snapgen-server snapgen
  ninja -C build-package-{machine} snapgen-server snapgen

Package  Version  Source  Version of the source
"""


@dataclass(frozen=True, order=True)
class Package:
    name: str
    version: str
    source: str
    source_version: str
    architecture: str
    is_archive: bool  # False if only headers are used.
    licence: str


def dpkg_query(root, *words):
    """Returns a command that queries the packages in a sysroot, or those of the system if `root` is empty."""
    return ["dpkg-query", *(["--admindir", f"{root}/var/lib/dpkg"] if root else []), *words]


def owners(root, files):
    """Returns the packages that have the files: {"libre2-dev:amd64", …}."""
    # dpkg records one path of a file, with or without its symlinks resolved, below /usr/lib or /lib. Query all of them.
    names = {path: {str(each).removeprefix(root).replace("/usr/lib/", start, 1)
                    for each in (Path(os.path.normpath(path)), path.resolve()) for start in ("/usr/lib/", "/lib/")} for path in files}
    # The command fails because of the names that are not recorded.
    asked = subprocess.run(dpkg_query(root, "-S", *sorted(set().union(*names.values()))), capture_output=True, text=True, check=False)
    recorded = {line.split(": ", 1)[1]: line.split(": ", 1)[0] for line in asked.stdout.splitlines() if ": /" in line}
    found = set()
    for path, known in names.items():
        packages = {recorded[name] for name in known if name in recorded}
        if not packages:
            raise PackageError(f"no package has the file {path}")
        found |= packages
    return found


def packages_in(root, archives, headers):
    linked = owners(root, archives)
    wanted = "${binary:Package} ${Package} ${Version} ${source:Package} ${source:Version} ${Architecture}\\n"
    for line in run(*dpkg_query(root, "-W", f"-f={wanted}", *sorted(linked | owners(root, headers)))).splitlines():
        full_name, name, version, source, source_version, architecture = line.split()
        # A package may have its documents in the package of the shared library, which is not in a sysroot.
        places = [Path(f"{place}/usr/share/doc/{name}/copyright") for place in (root, "")]
        text = next((each for each in places if each.is_file()), None)
        if not text:
            raise PackageError(f"{places[0]} is missing, so the licence of {name} cannot be included")
        yield Package(name, version, source, source_version, architecture, bool({name, full_name} & linked), text.read_text(errors="replace"))


def linked_packages(build, programs):
    """Returns the packages whose code is in the programs of a build folder."""
    archives, root = set(), ""
    for command in run("ninja", "-C", build, "-t", "commands", "-s", *programs).splitlines():
        words = shlex.split(command)
        archives |= {Path(word) for word in words if word.startswith("/") and word.endswith(".a")}
        for name in ("crt1.o", "libc.a", "libstdc++.a", "libgcc.a"):
            archives.add(Path(run(*words, f"-print-file-name={name}", folder=build).strip()))
        root = next((word.removeprefix("--sysroot=") for word in words if word.startswith("--sysroot=")), "")
    inputs = run("ninja", "-C", build, "-t", "inputs", *programs).split()
    read = run("ninja", "-C", build, "-t", "deps", *(each for each in inputs if each.endswith(".o")))
    headers = {Path(line.strip()) for line in read.splitlines() if line.startswith(("    /usr/", f"    {root}/usr/"))}
    inside = {each for each in archives | headers if root and each.is_relative_to(root)}
    found = {*packages_in("", archives - inside, headers - inside)}
    if root:
        mixed = sorted(each.name for each in found if each.is_archive and not each.source.startswith("gcc-"))
        if mixed:
            raise PackageError(f"the programs in {build} are linked with {' '.join(mixed)} of this system, and with others of {root}")
        found |= {*packages_in(root, archives & inside, headers & inside)}
    return sorted(found)


def write_licences(folder, packages, release, machine):
    """Writes the copyright file of each package, the licences that they refer to, and a list."""
    folder.mkdir(parents=True)
    lines = [READ_ME.format(version=release.version, machine=machine.name, repository=release.description["repository"])]
    for each in packages:
        write_text(folder / each.name, each.licence)
        lines.append(f"{each.name}  {each.version}  {each.source}  {each.source_version}\n")
    write_text(folder / "README", "".join(lines))
    for name in sorted({name.rstrip(".") for each in packages for name in re.findall(r"/usr/share/common-licenses/([\w.+-]+)", each.licence)}):
        (folder / "common-licenses").mkdir(exist_ok=True)
        shutil.copyfile(COMMON_LICENCES / name, folder / "common-licenses" / name)


def write_sbom(path, packages, release):
    """Writes the list of the packages as SPDX 2.3."""
    description = release.description

    def package(identifier, name, release, licence, **more):
        return {"SPDXID": identifier, "name": name, "versionInfo": release, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}

    def identifier_of(kind, each):
        return f"{kind}-{each.name.replace('+', 'x')}"

    this = package("SPDXRef-snapgen", description["name"], release.version, description["license"], homepage=description["repository"])
    others = [package(identifier_of("SPDXRef", each), each.name, each.version, identifier_of("LicenseRef", each),
                      supplier="Organization: Debian", sourceInfo=f"built from the Debian source package {each.source} {each.source_version}",
                      externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator":
                                     f"pkg:deb/debian/{each.name.replace('+', '%2B')}@{each.version.replace('+', '%2B')}?arch={each.architecture}"}])
              for each in packages]
    write_json(path, {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": path.name.removesuffix(".spdx.json"),
        "documentNamespace": release.url(path.name),
        "creationInfo": {"created": release.created, "creators": [f"Tool: snapgen-package-{release.version}"]},
        "packages": [this, *others],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": this["SPDXID"]},
                          *({"spdxElementId": this["SPDXID"], "relationshipType": "STATIC_LINK" if each.is_archive else "CONTAINS",
                             "relatedSpdxElement": identifier_of("SPDXRef", each)} for each in packages)],
        "hasExtractedLicensingInfos": [{"licenseId": identifier_of("LicenseRef", each), "name": f"Copyright file of {each.name}",
                                        "extractedText": each.licence} for each in packages]})
