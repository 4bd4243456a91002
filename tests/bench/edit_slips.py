"""The slips that models make when they write a change, and what each means for the edit.

A slip changes a `Written` in place. It returns None if it cannot be made of this change. Whether the meaning is unique is
decided here from the file and the written text, never by a server.
"""
import itertools
from dataclasses import dataclass

from edit_corpus import Change, TrueHunk, changed_line, true_change
from edit_forms import Written, written, written_hunks

DRAWS_MAX = 40  # changes of one language
ALL = ("unified", "v4a", "replace")
PATCHES = ("unified", "v4a")


@dataclass
class Case:
    kind: str
    change: Change
    written: Written
    truth: list  # the hunks as they would be without a slip
    is_unique: bool


def places_of(lines, block):
    """Returns the indexes at which the lines of `block` occur."""
    first = block[0] if block else None
    return [at for at, line in enumerate(lines) if line == first and lines[at:at + len(block)] == block]


def occurs_once(change, hunk):
    return places_of(change.lines, hunk.side("+")) == [hunk.start]


def means_one_place(case):
    """Whether each old text occurs once in the file, or at the line that its header states."""
    change = case.change
    for hunk, truth, (old, _, _) in zip(case.written.hunks, case.truth, case.written.edits()):
        places = places_of(change.lines, hunk.side("+"))
        if change.line_end == "\r\n":
            old = old.replace("\r\n", "\n").replace("\n", "\r\n")
        if case.written.form == "replace" and change.before.count(old) != 1:
            return False
        if case.written.form != "replace" and hunk.marks_missing_newline != truth.marks_missing_newline:
            return False
        states_place = case.written.form == "unified" and hunk.header is None and hunk.line == hunk.start + 1
        if places != [hunk.start] and not (states_place and hunk.start in places):
            return False
    return True


def names_another_place(change, edit):
    """Whether a header states a line at which the old lines are, but which is not meant: nobody could know that."""
    return edit.form == "unified" and any(hunk.line != hunk.start + 1 and hunk.line - 1 in places_of(change.lines, hunk.side("+"))
                                          for hunk in edit.hunks if hunk.header != "@@")


# ---- numbers and order -------------------------------------------------------------------------------------------

def wrong_count(chance, _, edit):
    for hunk in edit.hunks:
        old, new = len(hunk.side("+")), len(hunk.side("-"))
        hunk.counts = max(1, old + chance.choice((-2, -1, 1, 3))), max(1, new + chance.choice((-2, -1, 0, 2)))
    return edit


def wrong_line(chance, change, edit):
    for hunk in edit.hunks:
        places = places_of(change.lines, hunk.side("+"))
        wrong = [hunk.line + by for by in (-17, -3, -1, 1, 2, 8, 40) if hunk.line + by > 0]
        hunk.line = chance.choice([line for line in wrong if line - 1 not in places] or [hunk.line])
    return edit


def wrong_count_and_line(chance, change, edit):
    return wrong_line(chance, change, wrong_count(chance, change, edit))


def counts_of_another(chance, _, edit):
    numbers = [(hunk.line, hunk.new_line, (len(hunk.side("+")), len(hunk.side("-")))) for hunk in edit.hunks]
    for hunk, (line, new_line, counts) in zip(edit.hunks, numbers[1:] + numbers[:1]):
        hunk.line, hunk.new_line, hunk.counts = line, new_line, counts
    return edit


def out_of_order(chance, _, edit):
    edit.hunks = edit.hunks[1:] + edit.hunks[:1]
    return edit


def bare_header(chance, _, edit):
    for hunk in edit.hunks:
        hunk.header = "@@"
    return edit


# ---- context -----------------------------------------------------------------------------------------------------

def dropped_context(chance, _, edit):
    for hunk in edit.hunks:
        context = [index for index, (kind, _) in enumerate(hunk.body) if kind == " "]
        first = next(index for index, (kind, _) in enumerate(hunk.body) if kind != " ")
        above = chance.randint(0, first)
        hunk.start += above
        below = [index for index in context if index > first]
        kept = chance.randint(0 if len(hunk.side("+")) > len(context) or above < first else min(1, len(below)), len(below))
        hunk.body = hunk.body[above:len(hunk.body) - len(below) + kept]
        hunk.marks_missing_newline &= kept == len(below)
        hunk.counts = len(hunk.side("+")) + above, len(hunk.side("-")) + above
        if not hunk.side("+"):
            return None
    return edit


def added_context(chance, change, edit):
    """More context than the counts say, copied rightly."""
    counts = [(len(hunk.side("+")), len(hunk.side("-"))) for hunk in edit.hunks]
    edit.hunks = written_hunks(change, context=5)
    for hunk, count in zip(edit.hunks, counts):
        hunk.counts = count
    return edit


def changed_white_space(chance, _, edit):
    """Trailing blanks, or another indentation, on some lines that the file has."""
    def change(text):
        indented = text[:1] in " \t"
        return f" {text}" if indented and chance.random() < 0.5 else f"{text} "
    return with_old_lines(chance, edit, lambda text: text != "", change)


def tabs_for_blanks(chance, _, edit):
    """Tabs in all lines that are indented by blanks, also in the new ones."""
    width = 4 if any(text.startswith("    ") for hunk in edit.hunks for _, text in hunk.body) else 2

    def change(text):
        rest = text.lstrip(" ")
        return "\t" * ((len(text) - len(rest)) // width) + " " * ((len(text) - len(rest)) % width) + rest
    return with_all_lines(edit, change)


def changed_quotes(chance, _, edit):
    swap = str.maketrans("'\"", "\"'")
    return with_old_lines(chance, edit, lambda text: "'" in text or '"' in text, lambda text: text.translate(swap))


def truncated(chance, _, edit):
    """A line of the file that ends early, with an ellipsis."""
    return with_old_lines(chance, edit, lambda text: len(text.strip()) > 12,
                          lambda text: text[:len(text) - len(text.strip()) // 3] + "...", once=True)


def stale(chance, change, edit):
    """The file has changed since it was read: above the change, and for half of the cases within it."""
    count = chance.randint(1, 5)
    change.lines = [changed_line(chance, line) for line in change.lines[:count]] + change.lines
    for hunk in change.hunks:
        hunk.start += count
    for hunk in edit.hunks:
        hunk.start += count
    if chance.random() < 0.5:
        hunk = chance.choice(edit.hunks)
        context = [index for index, (kind, text) in enumerate(hunk.body) if kind == " " and text]
        if not context:
            return None
        index = chance.choice(context)
        hunk.body[index] = " ", changed_line(chance, hunk.body[index][1])
    return edit


def escaped(chance, _, edit):
    """Text as JSON, HTML or a string literal has it, in old and new lines."""
    pairs = chance.choice(([("\\", "\\\\"), ('"', '\\"')], [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")]))

    def escape(text):
        for plain, form in pairs:
            text = text.replace(plain, form)
        return text
    olds = [old for old, _, _ in edit.edits()]
    if edit.form == "replace" and chance.random() < 0.4:
        for hunk, old in zip(edit.hunks, olds):
            hunk.old_text = old.replace("\n", "\\n")
        return edit
    return with_all_lines(edit, escape)


def with_all_lines(edit, change):
    """Changes all lines. Each hunk must differ in a line that the file has, or the meaning would be another one."""
    for hunk in edit.hunks:
        before = hunk.side("+")
        hunk.body = [(kind, change(text)) for kind, text in hunk.body]
        if hunk.side("+") == before:
            return None
    return edit


def with_old_lines(chance, edit, is_fit, change, once=False):
    """Changes one hunk, on some lines that the file has."""
    hunk = chance.choice(edit.hunks)
    fit = [index for index, (kind, text) in enumerate(hunk.body) if kind != "+" and is_fit(text)]
    if not fit:
        return None
    for index in chance.sample(fit, 1 if once else chance.randint(1, min(3, len(fit)))):
        kind, text = hunk.body[index]
        hunk.body[index] = kind, change(text)
    return edit


# ---- the whole edit ----------------------------------------------------------------------------------------------

def repeated_blocks(chance, change, edit):
    """The block that is changed occurs again, once or twice, below or above. Its number is right, wrong or missing."""
    hunk = chance.choice(change.hunks)
    begin, end = max(0, hunk.start - 6), min(len(change.lines), hunk.start + len(hunk.removed) + 6)
    block = change.lines[begin:end]
    at = chance.choice((0, len(change.lines)))
    copies = chance.randint(1, 2)
    change.lines = block * copies + change.lines if at == 0 else change.lines + block * copies
    change.hunks = [TrueHunk(hunk.start + (len(block) * copies if at == 0 else 0), hunk.removed, hunk.added)]
    edit.hunks = written_hunks(change)
    if edit.form == "v4a" and chance.random() < 0.5:
        unindented = [line for line in change.lines[:edit.hunks[0].start] if len(line) > 8 and line[0].isalpha()]
        edit.hunks[0].heading = unindented[-1] if unindented else ""
    number = chance.randrange(3)
    if edit.form == "unified" and number > 0:
        (wrong_line if number == 1 else bare_header)(chance, change, edit)
    return edit


def lf_for_crlf(chance, change, edit):
    change.line_end = "\r\n"
    return edit


def fences_and_prose(chance, _, edit):
    edit.above, edit.below = chance.choice((
        ("```diff\n", "```\n"),
        ("Here is the change:\n\n```diff\n", "```\n\nIt renames the variable.\n"),
        ("I have updated the file as you asked.\n\n", "\nLet me know if you need more.\n"),
        ("```\n", "```"),
    ))
    return edit


def missing_final_newline(chance, change, edit):
    """The patch ends without a newline; or the file does, and the change is at its end, which the edit does not say."""
    if chance.random() < 0.5:
        if edit.form != "replace":
            edit.ends_with_newline = False
            return edit
        edit.hunks[-1].marks_missing_newline = True
        hunk = edit.hunks[-1]
        return edit if hunk.side("+")[-1] == hunk.side("-")[-1] else None
    change.ends_with_newline = False
    count = len(change.lines)
    change.hunks = [TrueHunk(count - 2, change.lines[-2:-1], [changed_line(chance, change.lines[-2])])]
    edit.hunks = written_hunks(change)
    edit.hunks[0].marks_missing_newline = False
    return edit


def absolute_paths(chance, _, edit):
    edit.root = "ROOT"
    return edit


SLIPS = {
    "wrong count": (wrong_count, ("unified",)),
    "wrong line": (wrong_line, ("unified",)),
    "wrong count and line": (wrong_count_and_line, ("unified",)),
    "header of another hunk": (counts_of_another, ("unified",)),
    "hunks out of order": (out_of_order, ALL),
    "@@ alone": (bare_header, ("unified",)),
    "dropped context": (dropped_context, ALL),
    "added context": (added_context, ALL),
    "changed white space": (changed_white_space, ALL),
    "tabs for blanks": (tabs_for_blanks, ALL),
    "changed quotes": (changed_quotes, ALL),
    "truncated old lines": (truncated, ALL),
    "stale content": (stale, ALL),
    "escaped characters": (escaped, ALL),
    "repeated blocks": (repeated_blocks, ALL),
    "LF for CR LF": (lf_for_crlf, ALL),
    "fences and prose": (fences_and_prose, PATCHES),
    "missing final newline": (missing_final_newline, ALL),
    "absolute paths": (absolute_paths, ALL),
}
NEEDS_TWO = {"header of another hunk", "hunks out of order"}


def plain_case(chance, sources, form, path):
    """Returns a change that is written without a slip; `path` has the place {} for the name's end."""
    source = chance.choice(sources)
    change = true_change(chance, source)
    if change is None:
        return None
    edit = written(change, form, path.format(source.suffix))
    return Case("no slip", change, edit, written_hunks(change), True)


def case_of(chance, kind, sources, others, path, root):
    """Returns a case of the kind, from the first of the drawn changes of which the slip can be made. Where `sources` have none,
    as Go has no blanks to replace, it is one of `others`."""
    slip, forms = SLIPS[kind]
    for number in itertools.count():
        source = chance.choice(sources if number < DRAWS_MAX else others)
        change = true_change(chance, source, hunks_min=2 if kind in NEEDS_TWO else 1)
        if change is None:
            continue
        edit = slip(chance, change, written(change, chance.choice(forms), path.format(source.suffix)))
        if edit is None or names_another_place(change, edit):
            continue
        edit.root = root if edit.root else ""
        case = Case(kind, change, edit, written_hunks(change), False)
        case.is_unique = means_one_place(case)
        return case


def cases(chance, found, count, path, root):
    """Yields `count` cases: each kind in turn, with the languages that this machine has in turn. `path` is as in
    plain_case(); `root` begins absolute paths."""
    languages = [sources for sources in found.values() if sources]
    every = [source for sources in languages for source in sources]
    kinds = list(SLIPS)
    for number in range(count):
        yield case_of(chance, kinds[number % len(kinds)], languages[number // len(kinds) % len(languages)], every, path, root)
