#!/usr/bin/env python3
"""Adds up the test cases of several build folders.

results.py FOLDER... [--failed=WHAT]...   reads FOLDER/meson-logs/testlog.* and FOLDER/clients.xml, names what failed and
                                          what was skipped, ends with one line `N passed, N failed[, N skipped]`
results.py --tests-in NAME...             from `meson introspect --tests` on stdin: name and target, tab between, of the
                                          tests whose programs stand in tests/NAME

A case is a GoogleTest case, a Node test, or a whole program where it reports no more than its exit code. A program that
ends badly though all of its cases passed (a leak found at exit, a crash on the way out) is a failure of its own.
"""
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


def read_folder(folder):
    """The cases of one build folder as (name, state, message)."""
    cases = []
    log = os.path.join(folder, "meson-logs", "testlog.json")
    if os.path.exists(log):
        failed = set()
        for suite, name, state, message in read_cases(os.path.join(folder, "meson-logs", "testlog.junit.xml")):
            cases.append((name, state, message))
            if state == "failed":
                # Meson names the suites of a GoogleTest program "project.program.suite".
                failed.update(suite.split("."))
                failed.add(name)
        with open(log, encoding="utf-8") as lines:
            for program in map(json.loads, lines):
                if program["result"] not in ("OK", "SKIP", "EXPECTEDFAIL") and program["name"] not in failed:
                    how = f"the program ended with {program['result']}, {program.get('returncode')}"
                    cases.append((program["name"], "failed", how))
    clients = os.path.join(folder, "clients.xml")
    if os.path.exists(clients):
        try:
            cases.extend(case[1:] for case in read_cases(clients))
        except xml.ParseError as error:
            cases.append(("clients", "failed", f"the report of the client tests is broken off: {error}"))
    return cases


def main(arguments):
    if arguments[:1] == ["--tests-in"]:
        for test in json.load(sys.stdin):
            program = os.path.relpath(test["cmd"][0], os.getcwd())
            parts = program.split(os.sep)
            if len(parts) > 3 and parts[1] == "tests" and parts[2] in arguments[1:]:
                print(test["name"], os.path.join(*parts[1:]), sep="\t")
        return 0
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for argument in arguments:
        if argument.startswith("--failed="):
            counts["failed"] += 1
            print(f"failed   {argument.removeprefix('--failed=')}")
            continue
        here = {"passed": 0, "failed": 0, "skipped": 0}
        for name, state, message in read_folder(argument):
            here[state] += 1
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
