#!/usr/bin/env python3
"""Checks the rules of this project that a program can check.

    tidy.py RULE SOURCE_ROOT [BUILD_ROOT [COMPILER...]]
"""
import sys

import await_rule
import commit_rule
import cpp_rules
import include_rules
import literal_rule
import name_rule
import page_rules
import text_rules
import try_rule
from source import Tree

RULES = {
    "await": await_rule.check,
    "arrows": include_rules.check_arrows,
    "owners": include_rules.check_owners,
    "cycles": include_rules.check_cycles,
    "headers": include_rules.check_headers,
    "strings": literal_rule.check,
    "names": name_rule.check,
    "commits": commit_rule.check,
    "functions": cpp_rules.check_functions,
    "variables": cpp_rules.check_variables,
    "calls": text_rules.check_calls,
    "links": text_rules.check_links,
    "pages": page_rules.check,
    "size": text_rules.check_size,
    "words": text_rules.check_words,
    "places": text_rules.check_places,
    "try": try_rule.check,
}


def main(rule, root, build=None, *compiler):
    tree = Tree(root, build)
    arguments = {"compiler": compiler} if rule == "headers" and compiler else {}
    broken = sorted(set(RULES[rule](tree, **arguments)))
    for line in broken:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
