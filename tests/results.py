#!/usr/bin/env python3
"""Adds up the test cases of several build folders, and selects the tests to repeat.

results.py FOLDER... [--failed=WHAT]...   reads FOLDER/meson-logs/testlog.* and FOLDER/clients.xml, prints failed and
                                          skipped cases, and a last line `N passed, N failed[, N skipped]`
results.py --times FOLDER                 adds the seconds of each program and client test file to FOLDER/test-times.json
results.py --programs-to-repeat FOLDER    prints the failed programs, one a line; after a tab, if cases can be selected,
                                          the argument that runs the failed ones
results.py --clients-to-repeat FOLDER     prints the paths of client test files that failed, one a line

A case is a GoogleTest case, a Node test, or a whole program that reports only its exit code. A program that fails
although all of its cases passed (a leak found at exit, a crash during exit) is a separate failure.

A failed case is re-run once alone, with results in meson-logs/again-*.* and clients-again.xml. If it then passes, it
counts as passed and is listed as flaky: the cause may be a pause of the machine, but the case should be repaired. If
more than a few cases failed, none is repeated.
"""
import glob
import json
import os
import re
import sys
import xml.etree.ElementTree as xml

PROJECT = "snapgen"

# XML has no form for these, but Node writes them, such as the colours of an error message.
CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def parse_junit(path):
    """Returns the root of a JUnit file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return xml.fromstring(CONTROL_CHARACTERS.sub("\ufffd", file.read()))


def read_cases(path):
    """Yields (suite, name, state, message) of a JUnit file; state is passed, failed or skipped."""
    root = parse_junit(path)
    parents = {child: parent for parent in root.iter() for child in parent}
    for case in root.iter("testcase"):
        suite = parents[case].get("name", "")
        group = case.get("classname")
        # Meson puts a program without test cases into a group named after the project, Node its test files into
        # "test".
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
    """Returns the programs of one Meson run as dictionaries; log is the base name of its files."""
    path = os.path.join(folder, "meson-logs", f"{log}.json")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        programs = [json.loads(line) for line in lines]
    for program in programs:
        # A test that belongs to a suite is named "project:suite / name"; `meson test` uses only the name.
        program["name"] = program["name"].rpartition(" / ")[2]
    return programs


def ended_badly(program):
    return program["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")


def read_run(folder, log):
    """Yields the cases of one Meson run, as read_cases() does."""
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
    """Returns the cases of the repetition, and its programs that ended without an error."""
    logs = [os.path.basename(path).removesuffix(".json") for path in glob.glob(os.path.join(folder, "meson-logs", "again-*.json"))]
    cases = [case for log in logs for case in read_run(folder, log)]
    return cases, {program["name"] for log in logs for program in read_programs(folder, log) if not ended_badly(program)}


def repeated(first, second, programs=()):
    """Yields the cases of the first run. A failed case that did not fail in the second run is flaky. `programs`: the
    programs that ended without an error in the second run."""
    passed = {case[:2] for case in second if case[2] == "passed"}
    for suite, name, state, message in first:
        stood = (suite, name) in passed or name in programs
        yield name, "flaky" if state == "failed" and stood else state, message


def read_folder(folder):
    """Yields the cases of one build folder as (name, state, message)."""
    yield from repeated(read_run(folder, "testlog"), *read_again(folder))
    yield from repeated(read_clients(folder, "clients.xml"), read_clients(folder, "clients-again.xml"))


# If more programs or files fail, they are broken rather than flaky.
REPEATED_MAX = 4
CASES_REPEATED_MAX = 20  # Cases of one program; if more failed, the whole program is repeated.


def to_repeat(names):
    names = sorted(set(names))
    return names if len(names) <= REPEATED_MAX else []


def failed_programs(folder):
    """Returns for each failed program the argument that selects its failed cases; None if the whole program must be
    repeated."""
    cases = [case for case in read_run(folder, "testlog") if case[2] == "failed"]
    found = {}
    for program in filter(ended_badly, read_programs(folder, "testlog")):
        # Meson names the suites of a GoogleTest program "project.program.suite".
        suites = f"{PROJECT}.{program['name']}."
        chosen = [f"{suite.removeprefix(suites)}.{name.rpartition(': ')[2]}" for suite, name, _, _ in cases if suite.startswith(suites)]
        # GoogleTest distributes only the selected cases over the shards, so a shard might run none of them.
        is_shard = "GTEST_SHARD_INDEX" in program["env"]
        found[program["name"]] = "--gtest_filter=" + ":".join(chosen) if 0 < len(chosen) <= CASES_REPEATED_MAX and not is_shard else None
    return found


def failed_client_files(folder):
    try:
        cases = parse_junit(os.path.join(folder, "clients.xml")).iter("testcase")
    except (OSError, xml.ParseError):
        return []
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    # A test file that failed as a whole is named by its path.
    files = [case.get("file") or case.get("name", "") for case in bad]
    return files if all(map(os.path.isfile, files)) else []


def times_path(folder):
    return os.path.join(folder, "test-times.json")


def read_times(folder):
    """The seconds that each test took in its latest run, by the name of its program or the path of its file."""
    try:
        with open(times_path(folder), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def record_times(folder):
    times = read_times(folder)
    times |= {program["name"]: program["duration"] for program in read_programs(folder, "testlog")}
    try:
        cases = list(parse_junit(os.path.join(folder, "clients.xml")).iter("testcase"))
    except (OSError, xml.ParseError):
        cases = []
    files = {}
    for case in cases:
        name = os.path.relpath(case.get("file", "."))
        files[name] = files.get(name, 0) + float(case.get("time", 0))
    with open(times_path(folder), "w", encoding="utf-8") as file:
        json.dump(times | files, file, indent=1, sort_keys=True)


def main(arguments):
    if arguments[:1] == ["--times"]:
        record_times(arguments[1])
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
