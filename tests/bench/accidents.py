"""Accidents: a project with files of all kinds, the changes of a day's work, and shell commands that destroy files.

A Project makes the tree. A Trial starts a server on it, destroys files again and again, each time rewinds the tree, and
compares every recorded file.
"""
import datetime
import itertools
import json
import os
import random
import shutil
import stat
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import trees
from stdio_server import Server

SOURCES = 500  # C files, which a formatter rewrites
IGNORED_BYTES_MAX = 64 << 10  # Larger ignored files are not recorded.
QUIET_SECONDS = 1.0  # between the last change and an accident; the server takes a moment after 0.7
WAIT_SECONDS = 15  # the maximum until a moment is recorded
RECORDED = Path(__file__).parent.parent / "hosts/hooks"

# In a command, {file} and {other} are files, {files} twenty of them, {folder} is a folder, {outside} a folder outside of
# the tree, {archive} an archive with another version of vendor/, and {branch} the branch that is not checked out.
ACCIDENTS = {
    "sed -i": "sed -i s/int/long/g {files}",
    "rm -rf of everything except .git": "find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {{}} +",
    "rm -rf *": "rm -rf -- *",
    "rm -rf of a folder": "rm -rf {folder}",
    "mv over a file": "mv -f {file} {other}",
    "mv of a folder": "mv {folder} lost",
    "mv of a folder out of the tree": "mv {folder} {outside}",
    "two files swapped": "mv {file} {outside} && mv {other} {file} && mv {outside}/* {other}",
    "cp over a file": "cp {file} {other}",
    "cp -r over a folder": "cp -rT docs {folder} && cp {file} {folder}/0.c",
    "git checkout -- .": "git checkout -q -- .",
    "git clean -fdx": "git clean -q -fdx",
    "git reset --hard": "git reset -q --hard",
    "git reset --hard HEAD~1": "git commit -q -a -m all && git reset -q --hard HEAD~1",
    "git stash -u": "git stash -q -u",
    "git stash -u, dropped": "git stash -q -u && git stash drop -q",
    "git rm -r": "git rm -q -r -f {folder}",
    "an empty here-document": "cat >{file} <<'END'\nEND",
    "redirections that truncate": "for file in {files}; do : >$file; done",
    "chmod -R": "chmod -R a+x,go-r .",
    "chmod of a script and a key": "chmod a-x bin/run.sh && chmod 644 secret/key.pem",
    "ln -sf over a file": "ln -sf ../../{other} {file}",
    "a formatter": r"find . -name .git -prune -o -name '*.c' -exec sed -i 's/\t/    /; s/ *$//' {{}} +",
    "a package manager": "rm -rf vendor && mkdir vendor && tar -xf {archive} -C vendor",
    "find -delete": "find src docs notes -name '*[05].*' -delete",
    "a file replaced by a folder": "rm {file} && mkdir -p {file}/deep && echo x >{file}/deep/file",
    "a folder replaced by a file": "rm -rf {folder} && echo x >{folder}",
    "a folder replaced by a symlink": "mv {folder} {outside} && ln -s {outside}/* {folder}",
    "git checkout of a branch": "git checkout -q -f {branch}",
    "another content of equal size and time":
        "cp -p {file} {outside}/old && tr a-y b-z <{outside}/old >{file} && touch -r {outside}/old {file}",
    "a lost .env": "rm .env && : >config/.env.local",
    "a lost .gitignore": "rm .gitignore",
    "a lost .gitignore, then git clean": "rm .gitignore && git clean -q -fd",
    "a new rule in .gitignore, then git clean": "echo notes/ >>.gitignore && git clean -q -fdX",
    "mv of a folder into an ignored one": "mkdir -p build && mv {folder} build",
}

# For each host, the recorded events of a prompt, and before and after a shell command.
HOSTS = {
    "claude": ("UserPromptSubmit", "PreToolUse", "PostToolUse"),
    "codex": ("UserPromptSubmit", "PreToolUse.Bash", "PostToolUse.Bash"),
    "copilot": ("UserPromptSubmit", "PreToolUse.Bash", "PostToolUse.Bash"),
    "cursor": ("beforeSubmitPrompt", "beforeShellExecution", "afterShellExecution"),
    "gemini": ("BeforeAgent", "BeforeTool.run_shell_command", "AfterTool.run_shell_command"),
    "opencode": ("chat.message", "tool.execute.before", "tool.execute.after"),
    "qwen": ("UserPromptSubmit", "PreToolUse.run_shell_command", "PostToolUse.run_shell_command"),
}


# ---- the tree ----------------------------------------------------------------------------------------------------

class Project:
    """A repository with two branches, untracked and ignored files, and random changes of them."""

    def __init__(self, folder, chance):
        self.folder, self.random = folder, chance
        self.numbers = itertools.count()
        folder.mkdir()
        trees.git(folder, "init", "-q", "-b", "main")
        for name, value in (("user.name", "Bench"), ("user.email", "bench@example.com"), ("gc.auto", "0")):
            trees.git(folder, "config", name, value)
        self.make_tracked()
        self.commit()
        trees.git(folder, "checkout", "-q", "-b", "other")
        for path in self.sources()[::9]:
            self.write(path, self.text())
        shutil.rmtree(folder / "src/part7")
        self.write("src/only-here.c", self.text())
        self.commit()
        trees.git(folder, "checkout", "-q", "main")
        self.make_untracked()

    def write(self, path, content, mode=0o644):
        path = os.path.join(os.fsencode(self.folder), os.fsencode(path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)

    def text(self):
        lines = [f"\tint value_{self.random.randrange(10**6)} = {next(self.numbers)};" + " " * self.random.randrange(3)
                 for _ in range(self.random.randint(2, 40))]
        return "\n".join(lines).encode() + b"\n"

    def make_tracked(self):
        for number in range(SOURCES):
            self.write(f"src/part{number % 10}/{number // 10}.c", self.text())
        for number in range(60):
            self.write(f"vendor/package{number % 6}/{number}.js", self.text(), 0o755 if number % 10 == 0 else 0o644)
        for number in range(20):
            self.write(f"docs/{number}.md", self.text())
        self.write(".gitignore", b"/build/\n.env*\n*.log\n")
        self.write("bin/run.sh", b"#!/bin/sh\n", 0o755)
        self.write("secret/key.pem", self.text(), 0o600)
        self.write("secret/read-only.txt", self.text(), 0o444)
        self.write("assets/logo.bin", self.random.randbytes(40_000))
        self.write("assets/empty", b"")
        self.write("dos/lines.txt", self.text().replace(b"\n", b"\r\n"))
        self.write(b"names/caf\xe9.txt", self.text())
        self.write("names/with 'quotes' and spaces.txt", self.text())
        self.write("names/two\nlines.txt", self.text())
        for name, target in (("links/file", "../src/part0/0.c"), ("links/folder", "../src"), ("links/nothing", "nothing")):
            (self.folder / name).parent.mkdir(exist_ok=True)
            os.symlink(target, self.folder / name)

    def make_untracked(self):
        for number in range(12):
            self.write(f"notes/deep/er/{number}.txt", self.text())
        self.write("scratch.py", self.text(), 0o755)
        self.write("private.txt", self.text(), 0o600)
        self.write("nothing.txt", b"")
        self.write("photo.bin", self.random.randbytes(100_000))
        self.write(b"names/na\xefve.txt", self.text())
        os.symlink("scratch.py", self.folder / "latest")
        self.write(".env", self.text())
        self.write("config/.env.local", self.text(), 0o600)
        self.write("debug.log", self.text())
        self.write("large.log", self.random.randbytes(IGNORED_BYTES_MAX + 1))
        for number in range(40):
            self.write(f"build/{number}.o", self.random.randbytes(1000))

    def commit(self):
        trees.git(self.folder, "add", "-A")
        trees.git(self.folder, "commit", "-q", "--allow-empty", "-m", "state")

    def files(self):
        """Returns the recorded and the other files as path -> (mode, content). Paths are bytes, and `mode` has the type."""
        top = os.fsencode(self.folder)
        recorded, others = {}, {}
        for folder, names, files in os.walk(top):
            names[:] = [name for name in names if name not in (b".git", b".snapback")]
            links = [name for name in names if os.path.islink(os.path.join(folder, name))]
            for name in files + links:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                content = b""
                if stat.S_ISLNK(status.st_mode):
                    content = os.readlink(path)
                elif stat.S_ISREG(status.st_mode):
                    content = Path(os.fsdecode(path)).read_bytes()
                short = os.path.relpath(path, top)
                is_ignored = name.startswith(b".env") or name.endswith(b".log")
                is_other = short.startswith(b"build/") or is_ignored and status.st_size > IGNORED_BYTES_MAX
                (others if is_other else recorded)[short] = status.st_mode, content
        return recorded, others

    def sources(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("src/part*/*.c"))

    # ---- changes -------------------------------------------------------------------------------------------------

    def work(self):
        """Changes files as an editor, a person or a model does. The last change is of a tracked file and is not staged."""
        if self.random.randrange(2):
            self.commit()
        changes = [self.append, self.replace, self.create, self.delete, self.rename, self.change_mode, self.link,
                   self.change_settings, self.stage]
        for change in [*self.random.choices(changes, k=self.random.randint(1, 5)), self.append_to_source]:
            change()

    def any_file(self):
        """Returns a regular file that no accident names."""
        named = (b".gitignore", b".env", b"config/.env.local", b"bin/run.sh", b"secret/key.pem")
        found = [path for path, (mode, _) in sorted(self.files()[0].items()) if stat.S_ISREG(mode) and path not in named]
        return self.random.choice(found)

    def at(self, path):
        return os.path.join(os.fsencode(self.folder), path)

    def append_to(self, path):
        with open(path, "ab") as file:
            file.write(self.text())

    def append_to_source(self):
        tracked = trees.git(self.folder, "ls-files", "src/part*/*.c").decode().split()
        self.append_to(self.folder / self.random.choice(tracked))

    def append(self):
        self.append_to(self.at(self.any_file()))

    def replace(self):
        path = self.at(self.any_file())
        with open(path + b".new", "wb") as file:
            file.write(self.text())
        os.rename(path + b".new", path)

    def create(self):
        name = self.random.choice((b"new/file", b"file", b"names/caf\xe9", b"src/file"))
        self.write(name + b"%d.c" % next(self.numbers), self.text(), self.random.choice((0o644, 0o600, 0o755)))

    def delete(self):
        os.unlink(self.at(self.any_file()))

    def rename(self):
        path = self.any_file()
        os.rename(self.at(path), self.at(os.path.dirname(path) + b"/renamed%d.c" % next(self.numbers) if b"/" in path
                                         else b"renamed%d.c" % next(self.numbers)))

    def change_mode(self):
        os.chmod(self.at(self.any_file()), self.random.choice((0o644, 0o755, 0o600, 0o640)))

    def link(self):
        os.symlink(self.random.choice(self.sources()), self.folder / f"link{next(self.numbers)}")

    def change_settings(self):
        self.append_to(self.folder / self.random.choice((".env", "config/.env.local", "debug.log")))

    def stage(self):
        trees.git(self.folder, "add", "-A")

    def command(self, kind, outside):
        """Returns the shell command of an accident with random files."""
        outside.mkdir(parents=True)
        archive = outside.parent / "vendor.tar"
        if not archive.exists():
            subprocess.run(["tar", "-cf", archive, "-C", self.folder / "docs", "."], check=True)
        sources = self.random.sample(self.sources(), 20)
        folder = self.random.choice(sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("src/part*")))
        head = trees.git(self.folder, "rev-parse", "--abbrev-ref", "HEAD").decode().strip()
        return ACCIDENTS[kind].format(file=sources[0], other=sources[1], files=" ".join(sources), folder=folder, outside=outside,
                                      archive=archive, branch="other" if head == "main" else "main")


def differences(expected, found):
    """Returns a line for each path that differs."""
    lines = []
    for path in sorted(expected.keys() | found.keys()):
        if path not in found:
            lines.append(f"{path!r} is missing")
        elif path not in expected:
            lines.append(f"{path!r} was not there before")
        elif expected[path][0] != found[path][0]:
            lines.append(f"{path!r} has the mode {found[path][0]:o} instead of {expected[path][0]:o}")
        elif expected[path][1] != found[path][1]:
            lines.append(f"{path!r} has another content: {len(found[path][1])} bytes instead of {len(expected[path][1])}")
    return lines


# ---- the history -------------------------------------------------------------------------------------------------

def log_of(tree):
    """Returns the path of the history's log; None before the first moment."""
    return next((tree / ".git/snapgen/trees").glob("*/history/log"), None)


def log_bytes(tree):
    log = log_of(tree)
    return log.stat().st_size if log else 0


def wait_for(holds, what, seconds=WAIT_SECONDS, pause=0.02):
    """Polls until `holds` returns a true value, and returns it."""
    until = time.monotonic() + seconds
    while not (found := holds()):
        if time.monotonic() > until:
            raise RuntimeError(f"{what} after {seconds} s")
        time.sleep(pause)
    return found


def wait_for_base(tree):
    wait_for(lambda: log_bytes(tree), "the history has not begun", 120)


def time_of(text):
    return datetime.datetime.fromisoformat(text).timestamp()


class Hooks:
    """Passes recorded events of one host to `snap hook`."""

    def __init__(self, host, build, tree):
        self.host, self.build, self.tree = host, build, tree
        self.number = 0

    def begin_turn(self):
        """Returns the prompt, by which the turn is found."""
        self.number += 1
        prompt = f"prompt {self.number} in {self.host}"
        self.send(HOSTS[self.host][0], prompt=prompt)
        return prompt

    def begin_command(self, command):
        self.send(HOSTS[self.host][1], command=command)

    def end_command(self, command):
        self.send(HOSTS[self.host][2], command=command)

    def payload(self, name, prompt, command):
        event = json.loads((RECORDED / self.host / f"{name}.json").read_text().replace("/home/user/project", str(self.tree)))
        ids = {"session_id": "session", "conversation_id": "session", "turn_id": f"turn-{self.number}",
               "prompt_id": f"turn-{self.number}", "generation_id": f"turn-{self.number}", "tool_use_id": f"call-{self.number}",
               "prompt": prompt, "submitted_prompt": prompt, "command": command}
        event.update({name: value for name, value in ids.items() if name in event})
        if "tool_input" in event:
            event["tool_input"] = {"command": command}
        if self.host == "opencode" and "tool_name" in event:
            event["tool_name"] = "bash"  # The recorded end of a call is of another tool.
        return event

    def send(self, name, prompt=None, command=None):
        words = [name] if self.host == "opencode" else []  # The events of the other hosts have their name.
        subprocess.run([self.build / "snap", "hook", self.host, *words], input=json.dumps(self.payload(name, prompt, command)),
                       text=True, cwd=self.tree, stdout=subprocess.DEVNULL, check=True)


@dataclass
class Outcome:
    kind: str
    command: str
    problems: list = field(default_factory=list)
    is_attributed: bool = True  # The history names the command.


class Trial:
    """Accidents in one project, one after the other, with a running server."""

    def __init__(self, build, folder, seed, host=None, pause=QUIET_SECONDS):
        self.build, self.folder, self.pause = build, folder, pause
        self.random = random.Random(seed)
        folder.mkdir(parents=True)
        self.project = Project(folder / "tree", self.random)
        self.tree = self.project.folder
        self.hooks = Hooks(host, build, self.tree) if host else None

    def run(self, kinds):
        """Returns the outcomes. After a failure the rest is in a new project."""
        outcomes = []
        with Server([self.build / "snapgen-server", "--stdio", "--workspace", self.tree]) as server:
            server.call("snapshot_file", path="bin/run.sh")
            wait_for_base(self.tree)
            for number, kind in enumerate(kinds):
                outcomes.append(self.have_accident(kind, self.folder / f"outside{number}"))
                if outcomes[-1].problems:
                    break
        return outcomes

    def snap(self, *words):
        done = subprocess.run([self.build / "snap", *words, "--json"], cwd=self.tree, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"snap {' '.join(words)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def have_accident(self, kind, outside):
        self.project.work()
        command = self.project.command(kind, outside)
        outcome = Outcome(kind, command)
        before = self.project.files()[0]
        time.sleep(self.pause)
        prompt = None
        if self.hooks:
            prompt = self.hooks.begin_turn()
            self.hooks.begin_command(command)
        began = time.time()
        done = subprocess.run(["bash", "-c", command], cwd=self.tree, env=trees.PLAIN_GIT, capture_output=True, text=True)
        if self.hooks:
            self.hooks.end_command(command)
        after, others = self.project.files()
        if done.returncode != 0 or before == after:
            raise RuntimeError(f"this command is no accident: {command}: {done.stderr}")
        try:
            target, changes = wait_for(lambda: self.find(began, prompt), "the accident is not in the history", pause=0.1)
            outcome.is_attributed = all(change["by"] != "outside" for change in changes)
            self.snap("rewind", target)
        except RuntimeError as error:
            outcome.problems.append(str(error))
        restored, others_after = self.project.files()
        outcome.problems += differences(before, restored)
        outcome.problems += [f"not recorded, but changed: {line}" for line in differences(others, others_after)]
        return outcome

    def find(self, began, prompt):
        """Returns the id and the changes of the turn with this prompt, or of the first moment since `began`; None if there is
        none."""
        turns = self.snap("history", "--limit", "100")["turns"]
        if prompt:
            turn = next((turn for turn in turns if turn.get("prompt") == prompt), None)
            return turn and (turn["turn"], [change for moment in turn["moments"] for change in moment["changes"]])
        moments = [moment for turn in turns for moment in turn["moments"] if time_of(moment["at"]) >= began]
        return (moments[-1]["moment"], moments[-1]["changes"]) if moments else None


def run_all(build, scratch, kinds, seed, host=None, pause=QUIET_SECONDS):
    """Runs accidents of these kinds. A project has ten, or fewer if one fails."""
    outcomes, rest = [], list(kinds)
    while rest:
        folder = scratch / f"trial{len(outcomes)}-{host}"
        found = Trial(build, folder, f"{seed} {host} {len(outcomes)}", host, pause).run(rest[:10])
        shutil.rmtree(folder)
        outcomes += found
        rest = rest[len(found):]
    return outcomes


def kinds_of(count, seed):
    """Returns `count` kinds of accidents, each kind as often as the others, in random order."""
    kinds = list(itertools.islice(itertools.cycle(ACCIDENTS), count))
    random.Random(seed).shuffle(kinds)
    return kinds
