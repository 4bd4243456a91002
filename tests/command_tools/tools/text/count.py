#!/usr/bin/env python3
"""A tool without C++: arguments as JSON on standard input, the result as JSON on standard output."""
import json
import sys

given = json.load(sys.stdin)
text = given.get("text", "")
if "file" in given:
    try:
        with open(given["file"], encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        sys.exit(f"{given['file']}: {error.strerror}")
json.dump({"words": sum(len(word) >= given["least"] for word in text.split())}, sys.stdout)
