"""Subjects of commits: `area: imperative summary`, with one area, since the commit that added this rule."""
import re
import subprocess

COLUMNS_MAX = 72
SUBJECT = re.compile(r"([a-z][a-z0-9_.-]*): ([a-z`].*[^.])")
# First words that are not imperative: "adds", "added", "adding".
NOT_IMPERATIVE = re.compile(r"(?!(?:alias|bias|embed|feed|focus|need|read|seed|shed|speed|spread|bring|string|ping)\b)"
                            r"[a-z]+(?:[^s]s|ed|ing)\b")


def fault_of(subject):
    """Returns what is wrong with a subject, or None."""
    if subject.startswith(("Merge ", "Revert ")):
        return None
    if len(subject) > COLUMNS_MAX:
        return f"{len(subject)} columns; {COLUMNS_MAX} at most"
    match = SUBJECT.fullmatch(subject)
    if not match:
        return "it is not `area: imperative summary` with one area"
    if NOT_IMPERATIVE.match(match[2]):
        return "its first word is not an imperative"
    return None


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def check(tree):
    # A source archive has no history, and a shallow clone not all of it.
    first = git(tree.root, "log", "--diff-filter=A", "--format=%H", "--", "tests/tidy/commit_rule.py")
    for subject in git(tree.root, "log", "--format=%s", f"{first[-1]}~1..HEAD") if first else []:
        fault = fault_of(subject)
        if fault:
            yield f"the commit \"{subject}\": {fault}"
