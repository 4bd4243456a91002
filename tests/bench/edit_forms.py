"""The forms in which a model writes a change: a unified diff, V4A, and the edits of workspace_edit."""
import copy
from dataclasses import dataclass, field

CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file"


@dataclass
class WrittenHunk:
    """A hunk as it is written. `body` has pairs of a kind (" ", "-" or "+") and a line."""
    start: int  # the index of the first old line in the file, from 0
    body: list
    line: int = 0  # what its header states for the old side, from 1
    new_line: int = 0
    counts: tuple = None  # what its header states; None: the right ones
    header: str = None  # replaces the header
    heading: str = ""  # in V4A
    marks_missing_newline: bool = False
    tolerates_white_space: bool = False
    old_text: str = None  # replaces the old text of an edit

    def side(self, other):
        """Returns the lines of the side that lacks the kind `other`."""
        return [text for kind, text in self.body if kind != other]

    def unified_header(self):
        if self.header is not None:
            return self.header
        old, new = self.counts or (len(self.side("+")), len(self.side("-")))
        return f"@@ -{self.line},{old} +{self.new_line},{new} @@"

    def body_lines(self):
        last = {kind: index for index, (kind, _) in enumerate(self.body)}
        ends = {max(last.get(" ", -1), last.get(kind, -1)) for kind in "-+"} if self.marks_missing_newline else ()
        for index, (kind, text) in enumerate(self.body):
            yield kind + text
            if index in ends:
                yield NO_NEWLINE


@dataclass
class Written:
    form: str  # "unified", "v4a" or "replace"
    path: str
    hunks: list
    root: str = ""  # makes the path absolute
    above: str = ""  # text around the patch
    below: str = ""
    line_end: str = "\n"  # of the texts of "replace"
    ends_with_newline: bool = True  # the patch, or the last text of "replace"
    continues: str = None  # the id of a rejected patch

    def named_path(self):
        return f"{self.root}/{self.path}" if self.root else self.path

    def patch(self):
        lines = []
        if self.form == "unified":
            lines = [f"--- {self.named_path()}", f"+++ {self.named_path()}"] if self.root else [
                f"--- a/{self.path}", f"+++ b/{self.path}"]
            for hunk in self.hunks:
                lines += [hunk.unified_header(), *hunk.body_lines()]
        else:
            lines = ["*** Begin Patch", f"*** Update File: {self.named_path()}"]
            for hunk in self.hunks:
                lines += [hunk.header or f"@@ {hunk.heading}".rstrip(), *hunk.body_lines()]
            lines.append("*** End Patch")
        text = "\n".join(lines) + ("\n" if self.ends_with_newline else "")
        return self.above + text + self.below

    def edits(self):
        """Returns pairs of an old and a new text, and whether the old one tolerates other white space."""
        for hunk in self.hunks:
            end = "" if hunk.marks_missing_newline else self.line_end
            old, new = (self.line_end.join(lines) + (end if lines else "") for lines in (hunk.side("+"), hunk.side("-")))
            yield hunk.old_text if hunk.old_text is not None else old, new, hunk.tolerates_white_space

    def call(self):
        """Returns the tool and its arguments."""
        if self.form == "replace":
            edits = [{"path": self.named_path(), "old": old, "new": new, **({"tolerance": "whitespace"} if tolerates else {})}
                     for old, new, tolerates in self.edits()]
            return "workspace_edit", {"edits": edits}
        return "workspace_apply_patch", {"patch": self.patch(), **({"continue": self.continues} if self.continues else {})}


def written_hunks(change, context=CONTEXT):
    shift, hunks = 0, []
    for hunk in change.hunks:
        begin = max(0, hunk.start - context)
        end = hunk.start + len(hunk.removed)
        body = [(" ", line) for line in change.lines[begin:hunk.start]]
        body += [("-", line) for line in hunk.removed] + [("+", line) for line in hunk.added]
        below = change.lines[end:end + context]
        body += [(" ", line) for line in below]
        ends_file = end + len(below) == len(change.lines)
        hunks.append(WrittenHunk(begin, body, begin + 1, begin + 1 + shift,
                                 marks_missing_newline=ends_file and not change.ends_with_newline))
        shift += len(hunk.added) - len(hunk.removed)
    return hunks


def written(change, form, path):
    return Written(form, path, written_hunks(change))


def duplicate(value):
    return copy.deepcopy(value)
