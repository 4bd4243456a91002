"""What a model sends after a refusal: only what the answer names is changed, and the new lines are those that it means."""
import re

from edit_forms import Written, duplicate
from edit_slips import places_of


def corrected(case, answer):
    """Returns what to send and how the answer named it, or None and why the answer names no correction."""
    if case.written.form == "replace":
        return corrected_edits(case, answer["faults"])
    rejects = answer["rejects"]
    if len(rejects) != 1 or not rejects[0]["hunks"]:
        return None, "the whole file is rejected: " + rejects[0].get("message", "")
    if "patch_id" not in answer:
        return None, "no patch_id"
    hunks, words = [], set()
    for reject in rejects[0]["hunks"]:
        hunk, word = corrected_hunk(case, duplicate(case.written.hunks[reject["index"]]), reject)
        words.add(word)
        if hunk is None:
            return None, word
        hunks.append(hunk)
    edit = case.written
    return Written(edit.form, edit.path, hunks, continues=answer["patch_id"]), " and ".join(sorted(words))


def true_hunk_of(case, hunk):
    """Returns the hunk that is meant: that with the same first line, or the last one before it if context was dropped."""
    return max((each for each in case.truth if each.start <= hunk.start), key=lambda each: each.start, default=case.truth[0])


def with_true_new_lines(case, hunk):
    added = iter([text for kind, text in true_hunk_of(case, hunk).body if kind == "+"])
    hunk.body = [(kind, next(added, text) if kind == "+" else text) for kind, text in hunk.body]
    return hunk


def corrected_hunk(case, hunk, reject):
    hunk = with_true_new_lines(case, hunk)
    word = "header"
    if "nearest" in reject:
        if "nearest_total" in reject:
            return None, "nearest is cut"
        first = re.search(r"from line (\d+) on", reject["message"])
        if not first or not apply_differences(hunk, int(first[1]), reject["nearest"]):
            return None, "nearest does not fit"
        if case.change.lines[hunk.start:hunk.start + len(hunk.side("+"))] != hunk.side("+"):
            return None, "nearest is elsewhere"
        word = "nearest"
    if reject["reason"] == "eof_newline":
        hunk.marks_missing_newline = not hunk.marks_missing_newline
        word = "newline"
    if "places" in reject:
        if hunk.start + 1 not in reject["places"]:
            return None, "the place is not listed"
        set_line(hunk, hunk.start + 1)
        return hunk, "places"
    if "header" in reject:
        hunk.header = reject["header"]
    elif "found_at" in reject:
        set_line(hunk, reject["found_at"])
    elif word == "header":
        return None, "nothing is named: " + reject["message"]
    return hunk, word


def set_line(hunk, line):
    hunk.header = f"@@ -{line},{len(hunk.side('+'))} +{line},{len(hunk.side('-'))} @@"


def apply_differences(hunk, line, differences):
    """Rewrites the old lines of the hunk, of which the first is compared with the line `line` of the file. Returns False if
    the differences do not fit."""
    olds = [(index, text) for index, (kind, text) in enumerate(hunk.body) if kind != "+"]
    changes, at = [], 0
    for each in differences:
        at += each["line"] - line
        line = each["line"]
        expected, found = each.get("expected"), each.get("found")
        if expected is not None and (at >= len(olds) or at < 0 or olds[at][1] != expected):
            return False
        if expected is None:
            changes.append((olds[at][0] if at < len(olds) else len(hunk.body), "insert", found))
        else:
            changes.append((olds[at][0], "delete" if found is None else "replace", found))
            at += 1
        line += 0 if found is None else 1
    for index, action, found in reversed(changes):
        if action == "insert":
            hunk.body.insert(index, (" ", found))
        elif action == "delete":
            del hunk.body[index]
        else:
            hunk.body[index] = hunk.body[index][0], found
    return True


# ---- edits of workspace_edit -------------------------------------------------------------------------------------

def corrected_edits(case, faults):
    edit, words = duplicate(case.written), set()
    for fault in faults:
        hunk = edit.hunks[fault["edit"]]
        word = correct_edit(case, edit, hunk, fault)
        words.add(word)
        if word not in ("more lines", "tolerance", "nearest", "escapes", "newline"):
            return None, word
    return edit, " and ".join(sorted(words))


def correct_edit(case, edit, hunk, fault):
    """Corrects one edit, and returns how the fault named the correction."""
    if fault["reason"] == "ambiguous":
        return "more lines" if with_more_lines(case.change, with_true_new_lines(case, hunk)) else "nothing"
    if fault["reason"] != "context_mismatch":
        return fault["message"]
    if "tolerance: whitespace" in fault["message"]:
        hunk.tolerates_white_space = True
        return "tolerance"
    with_true_new_lines(case, hunk)
    if hunk.old_text is not None and "differs only in" in fault["message"] and "escapes" in fault["message"]:
        hunk.old_text = None
        return "escapes"
    if "nearest" not in fault:
        return "only a new read is named"
    if hunk.start + len(hunk.side("+")) == len(case.change.lines) and not case.change.ends_with_newline:
        hunk.marks_missing_newline = True
    if not fault["nearest"]:
        return "newline"
    return "nearest" if apply_differences(hunk, fault["lines"][0], fault["nearest"]) else "nearest does not fit"


def with_more_lines(change, hunk):
    """Adds lines around the hunk, as the file has them, until its old lines occur once. Returns False if they never do."""
    begin, end = hunk.start, hunk.start + len(hunk.side("+"))
    while len(places_of(change.lines, hunk.side("+"))) != 1 or change.before.count("\n".join(hunk.side("+")) + "\n") != 1:
        if begin == 0 and end == len(change.lines):
            return False
        if begin > 0:
            begin -= 1
            hunk.body.insert(0, (" ", change.lines[begin]))
        if end < len(change.lines):
            hunk.body.append((" ", change.lines[end]))
            end += 1
    hunk.start = begin
    return True
