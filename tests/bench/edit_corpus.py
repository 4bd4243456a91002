"""True changes of real source files: what a model means to write. edit_slips.py says how it writes them."""
import re
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# Language -> the ends of names, and the folders that are searched. A relative folder is one of this repository.
LANGUAGES = {
    "C and C++": ((".cc", ".h"), ["tools", "runtime", "/usr/include"]),
    "Python": ((".py",), ["tests", sysconfig.get_path("stdlib")]),
    "JavaScript": ((".mjs", ".js"), ["tests", "tests/clients/node_modules"]),
    "TypeScript": ((".ts",), ["tests", "tests/clients/node_modules"]),
    "Rust": ((".rs",), ["/usr/share/cargo/registry", "/usr/lib/rustlib", Path.home() / ".cargo/registry"]),
    "Go": ((".go",), ["/usr/lib/go", "/usr/share/go", "/usr/share/doc/git/contrib"]),
}
FILES_MAX = 100  # of each language
LINES_MIN, LINES_MAX = 40, 1200
# An answer shows longer lines only in part.
LINE_MAX = 200
APART = 15  # lines between two changes, so that contexts of five lines do not touch


@dataclass
class Source:
    language: str
    suffix: str
    lines: list  # without line ends


@dataclass
class TrueHunk:
    start: int  # the index of the first line that is removed or stands below the insertion, from 0
    removed: list
    added: list


@dataclass
class Change:
    """The lines before the change, as the file on disk has them, and the hunks in their order."""
    source: Source
    lines: list
    hunks: list
    line_end: str = "\n"
    ends_with_newline: bool = True

    @property
    def before(self):
        return self.text(self.lines)

    @property
    def after(self):
        lines, at = [], 0
        for hunk in self.hunks:
            lines += self.lines[at:hunk.start] + hunk.added
            at = hunk.start + len(hunk.removed)
        return self.text(lines + self.lines[at:])

    def text(self, lines):
        return self.line_end.join(lines) + (self.line_end if self.ends_with_newline else "")


def lines_of(path):
    """Returns the lines of a source file, or None if it is too short, too long or has unusual bytes."""
    try:
        if path.stat().st_size > LINES_MAX * 80:
            return None
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    lines = text.split("\n")
    is_usual = lines.pop() == "" and LINES_MIN <= len(lines) <= LINES_MAX and not re.search(r"[\0\r\f\v]", text)
    return lines if is_usual and max(map(len, lines)) <= LINE_MAX else None


def sources(chance):
    """Returns up to FILES_MAX sources of each language, by language; none where this machine has none."""
    found = {}
    for language, (suffixes, folders) in LANGUAGES.items():
        paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                       if path.suffix in suffixes and path.is_file())
        chance.shuffle(paths)
        found[language] = []
        for path in paths:
            lines = lines_of(path)
            if lines:
                found[language].append(Source(language, path.suffix, lines))
            if len(found[language]) == FILES_MAX:
                break
    return found


def changed_line(chance, line):
    """Returns the line with another word. The number makes it a line that no file has."""
    words = list(re.finditer(r"[A-Za-z_]\w+", line))
    number = chance.randrange(10**6)
    if not words:
        return f"{line}changed_{number}"
    word = chance.choice(words)
    return f"{line[:word.end()]}_{number}{line[word.end():]}"


def true_hunk(chance, lines, start):
    count = min(chance.randint(1, 4), len(lines) - start)
    kind = chance.choice(("replace", "replace", "insert", "delete"))
    removed = [] if kind == "insert" else lines[start:start + count]
    added = [] if kind == "delete" else [changed_line(chance, line) for line in lines[start:start + count]]
    return TrueHunk(start, removed, added)


def true_change(chance, source, hunks_min=1):
    """Returns a change with 1 to 4 hunks, at least `hunks_min`, or None if the file is too short for them."""
    wanted = chance.randint(hunks_min, 4)
    starts = []
    for start in chance.sample(range(len(source.lines)), min(len(source.lines), 12 * wanted)):
        if all(abs(start - other) > APART for other in starts):
            starts.append(start)
        if len(starts) == wanted:
            break
    if len(starts) < hunks_min:
        return None
    return Change(source, source.lines, [true_hunk(chance, source.lines, start) for start in sorted(starts)])
