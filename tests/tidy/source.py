"""Shared by the rules: the files of the tree, and their code without comments and strings."""
import re
from pathlib import Path

CODE = {".h", ".cc"}
TEXT = CODE | {".py", ".mjs", ".js", ".ts", ".md", ".json", ".build", ".txt", ".sh", ".yml", ".wrap", ""}
FOREIGN = {".git", "node_modules", "corpus", "__pycache__"}
PART = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S)


def is_project(folder):
    build = folder / "meson.build"
    return build.is_file() and build.read_text(encoding="utf-8").startswith("project(")


class Tree:
    """A source tree, and the build tree with the generated headers (or none)."""

    def __init__(self, root, build=None):
        self.root = Path(root)
        self.build = Path(build) if build else None

    def files(self, suffixes, build=False):
        """Yields (path relative to its tree, text) of every file with one of the suffixes, in the order of paths."""
        found = list(self._walk(self.root, self.root, suffixes))
        if build and self.build and (self.build / "schemas").is_dir():
            found += self._walk(self.build / "schemas", self.build, suffixes)
        return found

    def has(self, path):
        """Returns whether a header exists or will be generated. The generator writes each header at its schema's path, and
        tools.h for all."""
        source = self.root / path
        generated = "schemas" in source.parts and (source.with_suffix(".json").is_file() or source.name == "tools.h")
        return source.is_file() or generated or bool(self.build) and (self.build / path).is_file()

    def _walk(self, folder, top, suffixes):
        for path in sorted(folder.iterdir()):
            if path.is_symlink() or path.name in FOREIGN:
                continue
            if path.is_dir():
                if is_project(path):
                    continue  # Another tree with a separate root.
                if not (folder == self.root and path.name.startswith(("build", "subprojects"))):
                    yield from self._walk(path, top, suffixes)
            elif path.suffix in suffixes:
                try:
                    yield path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    pass  # Not a text, but a sample of bytes.


def bare(text):
    """Returns C++ without comments, and with every string and character emptied; line numbers remain."""

    def blank(match):
        part = match.group()
        lines = "\n" * part.count("\n")
        return lines if part[0] == "/" else ("''" if part[0] == "'" else '""') + lines

    return PART.sub(blank, text)


def includes(text):
    """Yields (line number, header, whether in quotes) of every #include."""
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match[2], match[1] == '"'
