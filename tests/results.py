#!/usr/bin/env python3
"""Adds up the test cases of several build folders.

results.py FOLDER... [--failed=WHAT]...   reads FOLDER/meson-logs/testlog.* and FOLDER/clients.xml, names what failed and
                                          what was skipped, ends with one line `N passed, N failed[, N skipped]`
results.py --tests-in NAME...             from `meson introspect --tests` on stdin: name and target, tab between, of the
                                          tests whose programs stand in tests/NAME
results.py --programs-to-repeat FOLDER    names of the programs that failed, a line each; behind a tab, where its cases can
                                          be chosen, the argument that runs those which failed
results.py --clients-to-repeat FOLDER     paths of the client tests' files that failed, a line each

A case is a GoogleTest case, a Node test, or a whole program where it reports no more than its exit code. A program that
ends badly though all of its cases passed (a leak found at exit, a crash on the way out) is a failure of its own.

What failed is run once more by itself, with its results in meson-logs/again-*.* and clients-again.xml. A case that passes
then is counted as passed and listed as flaky: a host's stall is no fault of the code, but the case has to be mended.
Where more than a few failed nothing is repeated.
"""
import glob
import json
import os
import sys
import xml.etree.ElementTree as xml

PROJECT = "snapgen"

def read_cases(path):
    """Yields (suite, name, state, message) of a JUnit file; state is passed, failed or skipped."""
    root = xml.parse(path).getroot()
    parents = {child: parent for parent in root.iter() for child in parent}
    for case in root.iter("testcase"):
        suite = parents[case].get("name", "")
        group = case.get("classname")
        # Meson puts a program without cases of its own into a group named after the project, Node its test files
        # into "test".
        name = case.get("name", "?") if group in (None, "test", PROJECT) else f"{group}: {case.get('name')}"
        why = None
        state = "passed"
        for tag, meaning in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
            if why is None and case.find(tag) is not None:
                why, state = case.find(tag), meaning
        if state == "passed" and case.get("status") == "notrun":
            state = "skipped"
        yield suite, name, state, "" if why is None else (why.get("message") or why.text or "")


def read_programs(folder, log):
    """The programs of one run of Meson's as dictionaries; log is the base name of its files."""
    path = os.path.join(folder, "meson-logs", f"{log}.json")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        programs = [json.loads(line) for line in lines]
    for program in programs:
        # "project:suite / name" where a test belongs to a suite; `meson test` knows it by its name alone.
        program["name"] = program["name"].rpartition(" / ")[2]
    return programs


def ended_badly(program):
    return program["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")


def read_run(folder, log):
    """The cases of one run of Meson's, as read_cases() gives them."""
    programs = read_programs(folder, log)
    cases = list(read_cases(os.path.join(folder, "meson-logs", f"{log}.junit.xml"))) if programs else []
    failed = set()
    for suite, name, state, _ in cases:
        if state == "failed":
            # Meson names the suites of a GoogleTest program "project.program.suite".
            failed.update(suite.split("."))
            failed.add(name)
    for program in filter(ended_badly, programs):
        if program["name"] not in failed:
            how = f"the program ended with {program['result']}, {program.get('returncode')}"
            cases.append(("", program["name"], "failed", how))
    return cases


def read_clients(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    try:
        return list(read_cases(path))
    except xml.ParseError as error:
        return [("", "clients", "failed", f"the report of the client tests is broken off: {error}")]


def read_again(folder):
    """What was run once more: its cases, and the programs of it that ended well."""
    logs = [os.path.basename(path).removesuffix(".json") for path in glob.glob(os.path.join(folder, "meson-logs", "again-*.json"))]
    cases = [case for log in logs for case in read_run(folder, log)]
    return cases, {program["name"] for log in logs for program in read_programs(folder, log) if not ended_badly(program)}


def repeated(first, second, programs=()):
    """The first run's cases; failed ones that did not fail in the second are flaky. programs: that ended well then."""
    passed = {case[:2] for case in second if case[2] == "passed"}
    for suite, name, state, message in first:
        stood = (suite, name) in passed or name in programs
        yield name, "flaky" if state == "failed" and stood else state, message


def read_folder(folder):
    """The cases of one build folder as (name, state, message)."""
    yield from repeated(read_run(folder, "testlog"), *read_again(folder))
    yield from repeated(read_clients(folder, "clients.xml"), read_clients(folder, "clients-again.xml"))


# More than this many programs or files are broken, not unlucky.
REPEATED_MAX = 4
CASES_REPEATED_MAX = 20  # Of one program; of more, all are run.


def to_repeat(names):
    names = sorted(set(names))
    return names if len(names) <= REPEATED_MAX else []


def failed_programs(folder):
    """Name -> the argument for the cases that failed, of programs that failed; None where it has to be run whole."""
    cases = [case for case in read_run(folder, "testlog") if case[2] == "failed"]
    found = {}
    for program in filter(ended_badly, read_programs(folder, "testlog")):
        # Meson names the suites of a GoogleTest program "project.program.suite".
        suites = f"{PROJECT}.{program['name']}."
        chosen = [f"{suite.removeprefix(suites)}.{name.rpartition(': ')[2]}" for suite, name, _, _ in cases if suite.startswith(suites)]
        # GoogleTest spreads the chosen cases alone over the shards, so that a shard might run none of them.
        is_shard = "GTEST_SHARD_INDEX" in program["env"]
        found[program["name"]] = "--gtest_filter=" + ":".join(chosen) if 0 < len(chosen) <= CASES_REPEATED_MAX and not is_shard else None
    return found


def failed_client_files(folder):
    try:
        cases = xml.parse(os.path.join(folder, "clients.xml")).getroot().iter("testcase")
    except (OSError, xml.ParseError):
        return []
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    # A file that ended badly as a whole is named by its path.
    files = [case.get("file") or case.get("name", "") for case in bad]
    return files if all(map(os.path.isfile, files)) else []


def main(arguments):
    if arguments[:1] == ["--tests-in"]:
        for test in json.load(sys.stdin):
            program = os.path.relpath(test["cmd"][0], os.getcwd())
            parts = program.split(os.sep)
            if len(parts) > 3 and parts[1] == "tests" and parts[2] in arguments[1:]:
                print(test["name"], os.path.join(*parts[1:]), sep="\t")
        return 0
    if arguments[:1] == ["--programs-to-repeat"]:
        programs = failed_programs(arguments[1])
        for name in to_repeat(programs):
            print(name, programs[name] or "", sep="\t")
        return 0
    if arguments[:1] == ["--clients-to-repeat"]:
        print(*to_repeat(failed_client_files(arguments[1])), sep="\n")
        return 0
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for argument in arguments:
        if argument.startswith("--failed="):
            counts["failed"] += 1
            print(f"failed   {argument.removeprefix('--failed=')}")
            continue
        here = {"passed": 0, "failed": 0, "skipped": 0}
        for name, state, message in read_folder(argument):
            here["passed" if state == "flaky" else state] += 1
            if state != "passed":
                shown = " ".join(message.split())[:200]
                print(f"{state:8} {argument}: {name}{' - ' + shown if shown else ''}")
        print(f"{argument}: " + ", ".join(f"{here[s]} {s}" for s in here if here[s] or s != "skipped"))
        for state, number in here.items():
            counts[state] += number
    if counts["passed"] == 0:
        counts["failed"] = max(counts["failed"], 1)
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
