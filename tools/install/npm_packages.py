"""The npm packages: one with the launcher, and one for each machine with the program, of which npm installs the right one."""
import re
import shutil
from pathlib import Path

from archives import write_tar_gz
from plugins import write_json, write_text

PLACE = Path(__file__).resolve().parent
READ_ME = """# {name}

The program of [{main}](https://www.npmjs.com/package/{main}) for Linux on {machine}. Install that package instead.
"""


def write_package(release, folder, page, **more):
    """Writes the archive of a package as `npm pack` would."""
    description = release.description
    shared = {key: description[key] for key in ("author", "license")}
    write_json(folder / "package.json", {"name": folder.name, "version": release.version, **page, **shared,
                                         "repository": {"type": "git", "url": f"git+{description['repository']}.git"}, **more})
    write_tar_gz(release.out / f"{folder.name}-{release.version}.tgz", folder, "package/", release.date, release.level)


def write_packages(release, targets, here):
    """`here` is the target whose manual pages are used."""
    main = release.description["npm_name"]
    for each in targets:
        folder = release.work / "npm" / f"{main}-linux-{each.machine.node}"
        (folder / "bin").mkdir(parents=True)
        shutil.copyfile(each.program, folder / "bin/snapgen-server")
        (folder / "bin/snapgen-server").chmod(0o755)
        shutil.copytree(each.licences, folder / "licenses")
        shutil.copyfile(each.tree / "LICENSE", folder / "LICENSE")
        write_text(folder / "README.md", READ_ME.format(name=folder.name, main=main, machine=each.machine.node))
        write_package(release, folder, {"description": f"The program of {main} for Linux on {each.machine.node}"},
                      os=["linux"], cpu=[each.machine.node], preferUnplugged=True)
    folder = release.work / "npm" / main
    shutil.copytree(PLACE / "npm", folder)
    shutil.copyfile(here.tree / "LICENSE", folder / "LICENSE")
    (folder / "man").mkdir()
    for each in sorted((here.tree / "share/man/man1").iterdir()):
        if re.match(r"snap[.-]|snapback\.|snapgen-server\.", each.name):
            shutil.copyfile(each, folder / "man" / each.name)
    programs = {name: f"bin/{name}.js" for name in ("snapgen-server", "snap", "snapback")}
    write_package(release, folder, {"description": release.description["summary"]}, mcpName=release.description["registry_name"],
                  keywords=release.description["keywords"], engines={"node": ">=18"},
                  bin={main: programs["snapgen-server"], **programs}, man=[f"./man/{each.name}" for each in sorted((folder / "man").iterdir())],
                  optionalDependencies={f"{main}-linux-{each.machine.node}": release.version for each in targets})
