"""Asks shells for their proposals for a line, with the cursor at its end."""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess

DEADLINE_S = 120  # The time limit of an answer; nothing else limits a shell that waits.
# Proposals must not depend on the environment of the user who runs the test.
QUIET = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}

BASH = r"""
source "$1"
while IFS= read -r query; do
  IFS=$'\x1f' read -r -a COMP_WORDS <<<"$query"
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  [[ ${COMP_WORDS[COMP_CWORD]} != $'\x1e' ]] || COMP_WORDS[COMP_CWORD]=''
  COMPREPLY=()
  "$2"
  printf '%s\x1f' "${COMPREPLY[@]}"
  echo
done
"""

FISH = r"""
source $argv[1]
while read --line query
  complete -C $query
  echo ---
end
"""

# Each call of compadd that adds proposals also writes them to the report. The completion key then clears the line.
ZSH = r"""
unsetopt zle_bracketed_paste 2>/dev/null; PS1= ; fpath=($1 $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    typeset -a hits
    builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- $hits >&$report
  fi
  builtin compadd "$@"
}
propose() { _main_complete "$@"; print -r -- --- >&$report }
zle -C propose complete-word propose
empty() { zle propose; BUFFER= }
zle -N empty
bindkey '^I' empty
exec {report}>$2
print -r -- --- >&$report
"""


class Shell:
    """A shell in a terminal; the test ends it with stop()."""

    def stop(self):
        self.process.stdin.close()
        self.process.wait(DEADLINE_S)
        self.process.stdout.close()


class Bash(Shell):
    name = "bash"

    def __init__(self, share, program):
        script = share / "completions" / program
        function = "_" + re.sub(r"\W", "_", "snap" if program == "snapback" else program)
        self.process = subprocess.Popen(["bash", "--norc", "-c", BASH, "bash", str(script), function], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=QUIET)

    def propose(self, line):
        # bash also splits words at =.
        words = [part for word in line.split(" ") for part in re.findall(r"=|[^=]+", word) or [""]]
        if line.endswith("="):
            words = words[:-1] + ["="]
        words[-1] = words[-1] or "\x1e"
        self.process.stdin.write("\x1f".join(words) + "\n")
        self.process.stdin.flush()
        return {word for word in self.process.stdout.readline().rstrip("\n").split("\x1f") if word}


class Fish(Shell):
    name = "fish"

    def __init__(self, share, program):
        script = share / "vendor_completions.d" / f"{program}.fish"
        self.process = subprocess.Popen(["fish", "--no-config", "-c", FISH, str(script)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env={**QUIET, "HOME": str(share)})

    def propose(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        found = set()
        for answer in iter(self.process.stdout.readline, "---\n"):
            word = answer.rstrip("\n").split("\t")[0]
            # fish proposes the whole word, with the option's name before its value.
            found.add(word.split("=", 1)[1] if word.startswith("--") and "=" in word and line.split(" ")[-1].find("=") >= 0 else word)
        return found


class Zsh(Shell):
    name = "zsh"

    def __init__(self, share, program):
        self.folder = share / f"zsh-{program}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        report, setup = self.folder / "report", self.folder / "setup"
        os.mkfifo(report)
        setup.write_text(ZSH)
        # Opened for reading and writing, so that neither side waits for the other to open it.
        self.report = os.open(report, os.O_RDWR)
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen(["zsh", "-f", "-i"], stdin=end, stdout=end, stderr=end, start_new_session=True,
                                        env={**QUIET, "HOME": str(self.folder), "ZDOTDIR": str(self.folder)})
        os.close(end)
        self.rest = b""
        self.type(shlex.join(["source", str(setup), str(share / "site-functions"), str(report)]) + "\n")
        self.answer()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def answer(self):
        """Returns the shell's report up to ---. Also reads the terminal's output, because a full buffer would stop the shell."""
        while b"---\n" not in self.rest:
            ready, _, _ = select.select([self.report, self.terminal], [], [], DEADLINE_S)
            if not ready:
                raise TimeoutError("zsh does not answer")
            if self.terminal in ready:
                os.read(self.terminal, 65536)
            if self.report in ready:
                self.rest += os.read(self.report, 65536)
        text, _, self.rest = self.rest.partition(b"---\n")
        return {word for word in text.decode().splitlines() if word}

    def propose(self, line):
        self.type(line + "\t")
        return self.answer()

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
        os.close(self.report)


SHELLS = [shell for shell in (Bash, Zsh, Fish) if shutil.which(shell.name)]
