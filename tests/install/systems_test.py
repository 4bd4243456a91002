"""Static programs run on Debian 11, 12 and 13 with configurations that name modules, which belong to another C library.

    systems_test.py ROOTS SERVER…

ROOTS is a folder for the systems: `debootstrap` creates those that are missing, as root, with the network. Each SERVER
is a static program; one for another processor runs with qemu-user-static.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import session  # noqa: E402

ROOTS = pathlib.Path(sys.argv[1]).resolve()
SERVERS = [pathlib.Path(word).resolve() for word in sys.argv[2:]]
DEBIAN = {"bullseye": 11, "bookworm": 12, "trixie": 13}

# What administrators set, and what ends a static program that obeys it.
HOSTILE = {
    "etc/nsswitch.conf": "passwd: compat systemd files\ngroup: compat systemd files\nservices: db compat files\n"
                         "hosts: mymachines resolve mdns4_minimal compat files dns\n",
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n+::::::\n",
    "etc/ssl/openssl.cnf": "openssl_conf = first\n[first]\nproviders = all\n[all]\nlegacy = on\ndefault = on\n[on]\nactivate = 1\n",
    "etc/locale.conf": "LANG=de_DE.ISO-8859-1\n",
}
API = '{"api": {"base_url": "https://api.example.invalid"}}\n'

LOCK = {"lockfileVersion": 3, "packages": {"": {"dependencies": {"b": "^1.0.0"}}, "node_modules/b": {
    "version": "1.0.0", "resolved": "https://registry.npmjs.org/b/-/b-1.0.0.tgz", "integrity": "sha512-AAAA", "license": "MIT"}}}


def processor_of(program):
    """Returns the name of qemu for the program's processor, from its ELF header."""
    return {0x3E: "x86_64", 0xB7: "aarch64"}[int.from_bytes(program.read_bytes()[18:20], "little")]


def root_of(name):
    """Returns the root of a system with the hostile configuration, and creates it if it is missing."""
    root = ROOTS / name
    if not (root / "etc/debian_version").exists():
        shutil.rmtree(root, ignore_errors=True)
        with_modules = "--include=libnss-systemd,libnss-resolve,libnss-mymachines,libnss-mdns,openssl,ca-certificates"
        subprocess.run(["debootstrap", "--variant=minbase", with_modules, name, root], check=True, stdout=subprocess.DEVNULL)
    for path, text in HOSTILE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


class Systems(unittest.TestCase):
    def test_a_session_works_on_each_system(self):
        for server in SERVERS:
            machine = processor_of(server)
            for name, number in DEBIAN.items():
                with self.subTest(server=server, debian=number):
                    self.play(server, machine, root_of(name))

    def play(self, server, machine, root):
        place = root / "srv/snapgen"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        shutil.copy(server, place / "snapgen-server")
        command = [shutil.which("chroot"), str(root)]
        if machine != subprocess.check_output(["uname", "-m"], text=True).strip():
            shutil.copy(shutil.which(f"qemu-{machine}-static"), place / "qemu")
            command.append("/srv/snapgen/qemu")
        command.append("/srv/snapgen/snapgen-server")
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, env={})
        self.assertRegex(said.stdout, r"^snapgen \d")
        folder = session.repository(place / "workspace")
        # Without HOME the server asks for the user's entry, and for the address of a service by its name.
        session.play(command, folder, "/srv/snapgen/workspace", env={"SNAPBACK_TIER": "pro"})
        (folder / ".snapback").mkdir(exist_ok=True)
        (folder / ".snapback/config.json").write_text(API)
        (folder / "package.json").write_text(json.dumps({"dependencies": {"b": "^1.0.0"}}))
        (folder / "package-lock.json").write_text(json.dumps(LOCK))
        asked = session.ask_once(command, "/srv/snapgen/workspace", "snapback_analyze", {"type": "package"},
                                 env={"SNAPBACK_TIER": "pro"})
        self.assertIn("api.example.invalid", asked)


if __name__ == "__main__":
    if not SERVERS:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
