"""Repositories for measurements: generated ones with equal bytes on every machine, and scratch clones of real ones.

They are created once, in a folder that the caller names, and reused.
"""
import hashlib
import os
import random
import re
import shutil
import subprocess
import tarfile
import time
from collections import Counter
from pathlib import Path

AUTHOR = b"Bench <bench@example.com> 1700000000 +0000"
RARE = "quixotry"  # in three files of a generated tree
LITERAL = "frobnicate"  # on about 2 000 lines, or fewer in a small tree
FORMAT = 2  # the format of generated trees; a new number regenerates all of them

# Ignores the git configuration of the user and the machine.
PLAIN_GIT = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
             "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0",
             "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def git(folder, *words, env=None, **options):
    command = ["git", "-C", str(folder), *map(str, words)]
    done = subprocess.run(command, env={**PLAIN_GIT, **(env or {})}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def files_of(folder):
    return [name.decode() for name in git(folder, "ls-files", "-z").split(b"\0") if name]


# ---- generated trees ---------------------------------------------------------------------------------------------

def words_of(chance):
    consonants, vowels = "bcdfghklmnprstvw", "aeiou"
    return ["".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(1, 4)))
            for _ in range(3000)]


def line_of(chance, words):
    some = [chance.choice(words) for _ in range(6)]
    form = chance.randrange(8)
    indent = "\t" * chance.randrange(4)
    if form == 0:
        return "\n"
    if form == 1:
        return f"{indent}/* {' '.join(some)} */\n"
    if form == 2:
        return f"{indent}if ({some[0]}_{some[1]}({some[2]}, {chance.randrange(100000)}) < 0) return -{some[3].upper()};\n"
    if form == 3:
        return f"{indent}struct {some[0]}_{some[1]} *{some[2]} = {some[3]}->{some[4]};\n"
    if form == 4:
        return f"#define {some[0].upper()}_{some[1].upper()} 0x{chance.randrange(1 << 32):08x}\n"
    if form == 5:
        return f"{indent}}}\n"
    return f"{indent}{some[0]}->{some[1]} = {some[2]}_{some[3]}({some[4]} + {chance.randrange(1000)});\n"


def paths_of(chance, words, count):
    """Returns file names as in a mature project: about 15 files a folder, two to six levels deep."""
    folders, paths = [""], set()
    while len(paths) < count:
        parent = folders[int(len(folders) * chance.random() ** 1.5)]
        folder = parent + chance.choice(words) + chance.choice(words) + "/"
        if folder.count("/") > 6:
            continue
        folders.append(folder)
        for _ in range(min(1 + int(chance.expovariate(1 / 14)), count - len(paths))):
            paths.add(folder + chance.choice(words) + "_" + chance.choice(words) + chance.choice((".c", ".c", ".h", ".txt")))
    return sorted(paths)


def small_paths_of(chance, words, count):
    """Returns names of C files: twelve files in a folder, and twelve such folders in a folder above."""
    folders = [f"part{number // 12}/{chance.choice(words)}{number}/" for number in range((count + 11) // 12)]
    return sorted(f"{folders[number // 12]}{chance.choice(words)}{number % 12}.c" for number in range(count))


def stream(count, make_paths=paths_of, log_bytes=8.3):
    """Yields the input of `git fast-import`: one commit of `count` files of about 8 KB (median 4). log_bytes: the mean of
    the natural logarithm of a file's size in bytes."""
    chance = random.Random(f"snapgen bench {count}")
    words = words_of(chance)
    blocks = ["".join(line_of(chance, words) for _ in range(14)).encode() for _ in range(6000)]
    paths = make_paths(chance, words, count)
    literal = (f"\t{LITERAL}(state, 7);\n").encode()
    common = set(chance.sample(range(count), min(count, 2000)))
    rare = set(chance.sample(range(count), 3))
    yield b"commit refs/heads/main\ncommitter " + AUTHOR + b"\ndata 9\ngenerated\n"
    for number, path in enumerate(paths):
        size = min(chance.lognormvariate(log_bytes, 1.1), 400_000)
        parts = [b"/* %s */\n" % path.encode(), *chance.choices(blocks, k=int(size / 470) + 1)]
        if number in common:
            parts.insert(len(parts) // 2, literal)
        if number in rare:
            parts.append(b"/* " + RARE.encode() + b" */\n")
        data = b"".join(parts)
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
    yield b"\n"


def generated(cache, count):
    return imported(cache / f"generated-{FORMAT}-{count}", stream(count))


def small_files(cache, count):
    """Creates a tree of `count` C files of about 2 KB (median 1), twelve in a folder."""
    return imported(cache / f"generated-small-{FORMAT}-{count}", stream(count, small_paths_of, 7.0))


def typescript(cache, count):
    return imported(cache / f"typescript-{FORMAT}-{count}", typescript_stream(count))


def imported(folder, pieces):
    if not folder.exists():
        making = fresh(folder)
        git(making, "init", "-q", "-b", "main")
        git(making, "config", "gc.auto", "0")
        importer = subprocess.Popen(["git", "-C", making, "-c", "core.compression=1", "fast-import", "--quiet", "--depth=0"],
                                    stdin=subprocess.PIPE, env=PLAIN_GIT)
        for piece in pieces:
            importer.stdin.write(piece)
        importer.stdin.close()
        if importer.wait() != 0:
            raise RuntimeError("git fast-import failed")
        git(making, "reset", "-q", "--hard")
        making.rename(folder)
    return settled(folder)


def typescript_stream(count):
    """Like stream(), for a project in TypeScript: each file imports some of those near it, by a relative path or by a path
    of its tsconfig.json. One file in a hundred closes an import cycle."""
    chance = random.Random(f"snapgen bench typescript {count}")
    words = words_of(chance)
    paths = [f"src/{path[:path.rindex('.')]}.ts" for path in paths_of(chance, words, count)]
    paths = sorted(set(paths))
    config = b'{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","baseUrl":".","paths":{"@/*":["src/*"]}}}'
    yield b"commit refs/heads/main\ncommitter " + AUTHOR + b"\ndata 9\ngenerated\n"
    for path, data in (("tsconfig.json", config), ("package.json", b'{"name":"generated","type":"module"}')):
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
    for number, path in enumerate(paths):
        first = max(0, number - 200)
        targets = set(chance.randrange(first, number) for _ in range(chance.randrange(9))) if number else set()
        if chance.randrange(100) == 0 and number + 1 < len(paths):
            targets.add(number + 1)
        lines = []
        for target in sorted(targets):
            name = paths[target][:-3]
            far = chance.randrange(4) == 0
            where = "@/" + name[4:] if far else os.path.relpath(name, os.path.dirname(path))
            where = where if far or where.startswith(".") else "./" + where
            lines.append(f'import {{ value as v{target} }} from "{where}";\n')
        lines.append(f"export const value: number = {number}" + "".join(f" + v{target}" for target in sorted(targets)) + ";\n")
        for _ in range(int(min(chance.lognormvariate(3.6, 0.9), 600))):
            some = [chance.choice(words) for _ in range(4)]
            lines.append(f"export function {some[0]}_{len(lines)}({some[1]}: number): string {{ return `{some[2]} ${{{some[1]}}}`; }}\n")
        data = "".join(lines).encode()
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
    yield b"\n"


# ---- real trees --------------------------------------------------------------------------------------------------

def clone_of(cache, repository):
    """A scratch clone of HEAD, so that measurements do not change the user's repository."""
    top = Path(git(repository, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    head = git(top, "rev-parse", "HEAD").decode().strip()
    folder = cache / f"clone-{top.name}-{hashlib.sha256(f'{top} {head}'.encode()).hexdigest()[:10]}"
    if not folder.exists():
        making = fresh(folder)
        git(making.parent, "clone", "-q", "--no-hardlinks", "--no-tags", top, making)
        git(making, "config", "gc.auto", "0")
        making.rename(folder)
    return settled(folder)


def linux(cache, archive):
    """Creates a repository with Linux from Debian's package linux-source-6.1, in one commit."""
    folder = cache / "linux-source"
    if not folder.exists():
        making = fresh(folder)
        with tarfile.open(archive) as packed:
            packed.extractall(making.with_suffix(".unpacked"))
        making.rmdir()
        next(making.with_suffix(".unpacked").iterdir()).rename(making)
        making.with_suffix(".unpacked").rmdir()
        ignore = making / ".gitignore"  # Debian's file ignores the whole tree
        if ignore.exists():
            ignore.write_text(re.sub(r"(?m)^/\*\n", "", ignore.read_text()))
        git(making, "init", "-q", "-b", "main")
        git(making, "config", "gc.auto", "0")
        git(making, "add", "-A")
        git(making, "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "linux-source-6.1")
        making.rename(folder)
    return settled(folder)


# ---- both --------------------------------------------------------------------------------------------------------

def fresh(folder):
    making = folder.with_name(folder.name + ".making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    return making


def settled(folder):
    """Restores the committed state, without files of the server, and with no file as recent as the index."""
    shutil.rmtree(folder / ".git" / "snapgen", ignore_errors=True)
    git(folder, "reset", "-q", "--hard")
    git(folder, "clean", "-q", "-d", "-f", "-x")
    time.sleep(1.1)  # git compares whole seconds, so that after this wait no entry is racily clean
    git(folder, "update-index", "-q", "--refresh", env={"GIT_OPTIONAL_LOCKS": "1"})
    return folder


def patterns(folder, files):
    """Returns search terms: a literal on a few thousand lines, a regular expression, and a rare word.

    A generated tree contains such terms by design; in a real one they are taken from a sample of its files."""
    if folder.name.startswith("generated-"):
        return LITERAL, r"[a-z]+->frob[a-z]+ = |frobnicate\(\w+, [0-9]\)", RARE
    counts, sampled = Counter(), files[:: max(1, len(files) // 2000)]
    for name in sampled:
        path = folder / name
        if not path.is_symlink() and path.is_file():
            counts.update(re.findall(r"[A-Za-z_]\w{6,}", path.read_bytes()[:100_000].decode(errors="ignore")))
    scale = max(1, len(files) / max(1, len(sampled)))
    ranked = sorted(counts, key=lambda word: (abs(counts[word] * scale - 2000), word))
    literal = next((word for word in ranked if lines_with(folder, "-F", word) < 9000), RARE)
    rare = next((word for word in sorted(counts) if counts[word] == 1 and lines_with(folder, "-F", word) < 20), RARE)
    head = literal[: len(literal) - 2]
    return literal, rf"\b{head}\w+\s*[(;=]", rare


def lines_with(folder, *words):
    done = subprocess.run(["git", "-C", folder, "grep", "-c", *words], env=PLAIN_GIT, capture_output=True, text=True)
    return sum(int(line.rsplit(":", 1)[1]) for line in done.stdout.splitlines())
