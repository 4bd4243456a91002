#!/usr/bin/env python3
"""A command tool: it reads its arguments as JSON from standard input and writes its result as JSON to standard output."""
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
