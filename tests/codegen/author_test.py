"""The schema compiler's output for authors: findings for people and editors, new tools, explanations of generated code, and
breaking changes. The expected output is in author/. With UPDATE=1 the tests write it instead of comparing it."""
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

SNAPGEN = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent / "author"
PROJECT = HERE.parent.parent.parent


def snapgen(*arguments, cwd=HERE, **more):
    return subprocess.run([SNAPGEN, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, timeout=60, **more)


def make_changed_revision(root, schemas):
    """Makes a git repository with one schema file in the folder `schemas`, and then renames a property of it.
    Returns the file."""
    schema = root / schemas / "shop/order_list.json"
    schema.parent.mkdir(parents=True)
    schema.write_text((HERE / "old/shop/order_list.json").read_text())
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", root, *arguments], check=True)
    schema.write_text(schema.read_text().replace('"page"', '"leaf"'))
    return schema


class Author(unittest.TestCase):
    maxDiff = None

    def golden(self, name, text):
        if os.environ.get("UPDATE"):
            (HERE / name).write_text(text)
        self.assertEqual(text, (HERE / name).read_text())


class Check(Author):
    def test_editors_get_every_finding_as_json(self):
        found = snapgen("check", "--schemas", "faults", "--json")
        self.assertEqual((found.returncode, found.stderr), (1, ""))
        self.golden("check.json", found.stdout)
        first = json.loads(found.stdout)["findings"][0]
        self.assertEqual((first["file"], first["line"], first["column"]), ("faults/shop/order_place.json", 7, 49))
        self.assertEqual((first["pointer"], first["proposal"]), ("/inputSchema/properties/item/maxLenght", "maxLength"))

    def test_json_of_valid_schemas_has_no_findings(self):
        found = snapgen("check", "--schemas", "old", "--json")
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, '{"findings":[]}\n', ""))

    def test_people_get_lines_with_a_suggestion(self):
        found = snapgen("check", "--schemas", "faults")
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.golden("check.txt", found.stderr)

    def test_notes_are_no_errors(self):
        found = snapgen("check", "--schemas", "notes")
        self.assertEqual((found.returncode, found.stdout), (0, ""))
        self.golden("notes.txt", found.stderr)
        rows = json.loads(snapgen("check", "--schemas", "notes", "--json").stdout)["findings"]
        self.assertEqual([row["note"] for row in rows], [True] * found.stderr.count("\n"))

    def test_the_ending_of_a_schema_file_is_in_lower_case(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "schemas/shop/order_list.JSON"
            file.parent.mkdir(parents=True)
            file.write_text((HERE / "old/shop/order_list.json").read_text())
            found = snapgen("check", cwd=folder)
            self.assertEqual((found.returncode, found.stderr),
                             (1, "schemas/shop/order_list.JSON: the name of a schema file ends with .json, in lower case\n"))

    def on_a_terminal(self, **environment):
        ours, theirs = pty.openpty()
        variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        variables.update({"TERM": "xterm", **environment})
        subprocess.run([SNAPGEN, "check", "--schemas", "faults"], cwd=HERE, stderr=theirs, env=variables, check=False, timeout=60)
        os.close(theirs)
        text = os.read(ours, 100_000).decode()
        os.close(ours)
        return text

    def test_a_terminal_gets_colours_unless_they_are_disabled(self):
        text = self.on_a_terminal()
        self.assertIn("\x1b[1mfaults/shop/order_place.json:7:49:\x1b[0m", text)
        plain = (HERE / "check.txt").read_text()
        self.assertEqual(self.on_a_terminal(NO_COLOR="1").replace("\r\n", "\n"), plain)
        self.assertEqual(self.on_a_terminal(TERM="dumb").replace("\r\n", "\n"), plain)
        self.assertIn("\x1b[", self.on_a_terminal(NO_COLOR=""))

    def test_check_without_options_checks_the_project(self):
        found = snapgen("check", cwd=PROJECT)
        self.assertEqual((found.returncode, found.stderr), (0, ""))


class Explain(Author):
    def test_the_listing_has_no_alternatives_of_required_members(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder) / "schemas/shop/order_find.json"
            schema.parent.mkdir(parents=True)
            either = {"$schema": "../meta/tool.json", "name": "order.find", "description": "x", "x-snapgen": {"family": "shop"},
                      "inputSchema": {"type": "object", "oneOf": [{"required": ["id"]}, {"required": ["text"]}],
                                      "properties": {"id": {"type": "string"}, "text": {"type": "string"}}}}
            schema.write_text(json.dumps(either))
            found = snapgen("explain", schema.relative_to(folder), cwd=folder)
            self.assertEqual((found.returncode, found.stderr), (0, ""))
            code, listed = found.stdout.split("Its whole schema")
            self.assertIn("std::optional<std::string> id;", code)
            self.assertIn("fits exactly one of", code)
            self.assertIn('"text": { "type": "string" }', listed)
            self.assertNotIn("oneOf", listed)
            self.assertIn('"additionalProperties": false', listed)

    def test_a_tool_is_explained(self):
        found = snapgen("explain", "--schemas", "old", "old/shop/order_place.json")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.golden("explain_tool.txt", found.stdout)

    def test_the_namespace_is_that_of_the_handlers(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "shop").mkdir()
            (pathlib.Path(folder) / "shop/order_place.cc").write_text("namespace my::server {\n}\n")
            found = snapgen("explain", "--schemas", "old", "--handlers", folder, "old/shop/order_place.json")
            self.assertEqual((found.returncode, found.stderr), (0, ""))
            self.assertIn("  namespace       my::server\n", found.stdout)
            said = snapgen("explain", "--schemas", "old", "--handlers", folder, "--namespace", "other", "old/shop/order_place.json")
            self.assertIn("  namespace       other\n", said.stdout)

    def test_a_message_is_explained(self):
        found = snapgen("explain", "--schemas", "old", HERE / "old/common/money.json")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.golden("explain_message.txt", found.stdout)

    def test_errors_are_printed_instead_of_an_explanation(self):
        found = snapgen("explain", "--schemas", "faults", "faults/shop/order_place.json")
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.assertIn("maxLenght", found.stderr)

    def test_a_file_that_is_not_a_schema_file_is_rejected(self):
        found = snapgen("explain", "--schemas", "old", "check.txt")
        self.assertEqual((found.returncode, found.stdout), (2, ""))
        self.assertIn("check.txt is not a schema file below old", found.stderr)


class Diff(Author):
    def test_two_folders_are_compared(self):
        found = snapgen("diff", "old", "new")
        self.assertEqual((found.returncode, found.stderr), (1, ""))
        self.golden("diff.txt", found.stdout)

    def test_diff_prints_json(self):
        found = snapgen("diff", "--json", "old", "new")
        self.assertEqual(found.returncode, 1)
        self.golden("diff.json", found.stdout)
        said = json.loads(found.stdout)
        self.assertEqual(said["breaking"], sum(each["breaking"] for each in said["changes"]))

    def test_two_files_are_compared_with_the_files_that_they_refer_to(self):
        found = snapgen("diff", "old/shop/order_place.json", "new/shop/order_place.json")
        self.assertEqual((found.returncode, found.stderr), (1, ""))
        lines = [line for line in (HERE / "diff.txt").read_text().splitlines(True) if "order.place" in line]
        self.assertEqual(found.stdout, "".join(lines))

    def test_equal_folders_have_no_changes(self):
        found = snapgen("diff", "old", HERE / "old")
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, "", ""))

    def test_additions_exit_with_0(self):
        found = snapgen("diff", "old/shop/order_list.json", "old/shop/order_list.json")
        self.assertEqual(found.returncode, 0)
        with tempfile.TemporaryDirectory() as folder:
            shop = pathlib.Path(folder) / "old/shop"
            shop.mkdir(parents=True)
            text = (HERE / "old/shop/order_list.json").read_text()
            (shop / "order_list.json").write_text(text.replace('"properties": {', '"properties": { "more": { "type": "string" },'))
            found = snapgen("diff", "old/shop/order_list.json", shop / "order_list.json")
            self.assertEqual((found.returncode, found.stdout),
                             (0, f"{shop}/order_list.json:7:29: fine: order.list /inputSchema/properties/more: it is new\n"))

    def test_every_keyword_can_restrict_or_extend_a_schema(self):
        tool = json.loads((HERE / "old/shop/order_list.json").read_text())
        tool["$schema"] = "../meta/tool.json"

        def said(before, after):
            with tempfile.TemporaryDirectory() as folder:
                sides = []
                for name, more in (("a", before), ("b", after)):
                    shop = pathlib.Path(folder) / name / "shop"
                    shop.mkdir(parents=True)
                    tool["inputSchema"] = {"type": "object", "properties": {"x": more}}
                    tool["x-snapgen"] = {"family": "shop"}
                    (shop / "order_list.json").write_text(json.dumps(tool))
                    sides.append(shop / "order_list.json")
                found = snapgen("diff", *sides)
                self.assertEqual(found.stderr, "")
                return [line.split(": ", 1)[1].replace(" order.list /inputSchema/properties/x", "") for line in found.stdout.splitlines()]

        def choice(*values):
            return {"type": "string", "anyOf": [{"const": value, "description": words} for value, words in values]}

        self.assertEqual(said(choice(("a", "one"), ("b", "two")), choice(("a", "One."), ("b", "Two."))),
                         ["fine:/anyOf/0: its description changed", "fine:/anyOf/1: its description changed"])
        self.assertEqual(said(choice(("a", "one"), ("b", "two")), choice(("b", "two"), ("a", "one"), ("c", "three"))),
                         ["fine:/anyOf/2: this alternative is new"])
        text = {"type": "string"}
        self.assertEqual(said(text, {**text, "not": {"maxLength": 3}}), ["breaking:/not: something is forbidden now"])
        self.assertEqual(said({**text, "not": {"maxLength": 3}}, {**text, "not": {"maxLength": 2}}),
                         ["fine:/not: maxLength is 2, and was 3"])
        self.assertEqual(said({**text, "not": {"maxLength": 3}}, {**text, "not": {"maxLength": 4}}),
                         ["breaking:/not: maxLength is 4, and was 3"])
        many = {"type": "array", "items": text, "contains": {"const": "a"}}
        self.assertEqual(said(many, {**many, "maxContains": 2}), ["breaking:: maxContains is 2, and was nothing"])
        self.assertEqual(said(many, {**many, "minContains": 0}), ["fine:: minContains is 0, and was nothing"])
        some = {"type": "object", "patternProperties": {"^a": text}, "additionalProperties": False}
        self.assertEqual(said(some, {**some, "patternProperties": {"^a": text, "^b": text}}),
                         ["breaking:/patternProperties/^b: this schema applies now"])
        first = {"type": "array", "prefixItems": [text]}
        self.assertEqual(said(first, {**first, "unevaluatedItems": False}), ["breaking:/unevaluatedItems: this schema applies now"])

    def said_of_tools(self, before, after):
        """Returns the lines about a tool whose old file has the members `before`, and the new one `after`."""
        tool = {"$schema": "../meta/tool.json", "name": "order.list", "description": "x", "inputSchema": {"type": "object"}}
        with tempfile.TemporaryDirectory() as folder:
            for side, more in (("a", before), ("b", after)):
                file = pathlib.Path(folder) / side / "shop/order_list.json"
                file.parent.mkdir(parents=True)
                extension = {"family": "shop", **more.get("x-snapgen", {})}
                file.write_text(json.dumps({**tool, **more, "x-snapgen": extension}))
            found = snapgen("diff", "a", "b", cwd=folder)
            self.assertEqual(found.stderr, "")
            return [line.split(": ", 1)[1].replace(" order.list ", "") for line in found.stdout.splitlines()]

    def test_results_that_were_not_possible_before_are_breaking(self):
        def said(before, after):
            sides = ({"outputSchema": {"type": "object", "properties": {"x": each}}} for each in (before, after))
            return [line.replace("/outputSchema/properties/x", "") for line in self.said_of_tools(*sides)]

        number, text = {"type": "integer", "minimum": 0, "maximum": 9}, {"type": "string", "pattern": "^a"}
        self.assertEqual(said(number, {"type": "integer", "maximum": 9}), ["breaking:: minimum is nothing, and was 0"])
        self.assertEqual(said(number, {**number, "maximum": 10}), ["breaking:: maximum is 10, and was 9"])
        self.assertEqual(said(number, {**number, "minimum": 1}), ["fine:: minimum is 1, and was 0"])
        self.assertEqual(said(text, {"type": "string"}), ['breaking:: pattern is nothing, and was "^a"'])
        self.assertEqual(said({**number, "default": 1}, {**number, "default": 2}), [])
        closed = {"type": "object", "additionalProperties": False, "properties": {"a": text}}
        self.assertEqual(said(closed, {**closed, "properties": {"a": text, "b": text}}), ["fine:/properties/b: it is new"])
        self.assertEqual(said(closed, {**closed, "additionalProperties": True}),
                         ["fine:/additionalProperties: members that are not listed here are ignored now"])

    def test_alternatives_with_the_same_title_are_compared(self):
        def one_of(hint, *more):
            return {"outputSchema": {"type": "object", "oneOf": [*more, {
                "title": "Listed", "type": "object", "required": ["hint"], "properties": {"hint": {"const": hint}}}]}}

        other = {"title": "Other", "type": "object", "required": ["hint"], "properties": {"hint": {"const": "c"}}}
        self.assertEqual(self.said_of_tools(one_of("a"), one_of("b", other)),
                         ["breaking:/outputSchema/oneOf/0: this alternative is new",
                          'fine:/outputSchema/oneOf/1/properties/hint: this value is gone: "a"',
                          'breaking:/outputSchema/oneOf/1/properties/hint: this value is new: "b"'])
        self.assertEqual(self.said_of_tools(one_of("a", other), one_of("a")), ["fine:/outputSchema/oneOf: an alternative is gone: Other"])

    def test_tools_that_hosts_no_longer_see_or_that_read_something_else_are_breaking(self):
        def said(before, after):
            return self.said_of_tools({"x-snapgen": before}, {"x-snapgen": after})

        self.assertEqual(said({}, {"listing": "hidden"}), ["breaking:/x-snapgen/listing: hosts no longer see it"])
        self.assertEqual(said({"listing": "hidden"}, {}), ["fine:/x-snapgen/listing: hosts see it now"])
        self.assertEqual(said({"coherence": "snapshot"}, {"coherence": "worktree"}),
                         ["breaking:/x-snapgen/coherence: the coherence is worktree, and was snapshot"])
        self.assertEqual(said({"coherence": "snapshot"}, {"coherence": "hybrid"}),
                         ["fine:/x-snapgen/coherence: the coherence is hybrid, and was snapshot"])

    def test_members_required_together_are_compared_by_the_calls_that_they_accept(self):
        words = {"unit": {"type": "string", "enum": ["lines", "words"]}}
        more = {"unit": {"type": "string", "enum": ["lines", "words", "bytes"]}}

        def said(before, after, inside=False):
            with tempfile.TemporaryDirectory() as folder:
                for side, (properties, rule) in (("a", before), ("b", after)):
                    schema = {"type": "object", "properties": {name: {"type": "string"} for name in ("path", "text")}}
                    schema["properties"].update(properties)
                    schema.update(rule)
                    if inside:
                        schema = {"type": "object", "properties": {"x": schema}}
                    file = pathlib.Path(folder) / side / "shop/text_count.json"
                    file.parent.mkdir(parents=True)
                    file.write_text(json.dumps({"$schema": "../meta/tool.json", "name": "text.count", "description": "x",
                                                "inputSchema": schema, "x-snapgen": {"family": "shop"}}, indent=1))
                found = snapgen("diff", "a", "b", cwd=folder)
                self.assertEqual(found.stderr, "")
                return [line.split(": ", 1)[1].replace(" text.count /inputSchema", "") for line in found.stdout.splitlines()]

        def required(keyword, *lists):
            return {keyword: [{"required": list(each)} for each in lists]}

        one, any_of, text = required("oneOf", ["path"], ["text"]), required("anyOf", ["path"], ["text"]), {"required": ["text"]}
        self.assertEqual(said((words, one), (more, one)), ['fine:/properties/unit: this value is new: "bytes"'])
        self.assertEqual(said((words, one), (words, {})),
                         ['fine:/oneOf: calls without "path" or "text", or with "path" and "text" are accepted now'])
        self.assertEqual(said((words, {}), (words, one)),
                         ['breaking:/oneOf: calls without "path" or "text", or with "path" and "text" are rejected now'])
        self.assertEqual(said((words, one), (words, any_of)), ['fine:/anyOf: calls with "path" and "text" are accepted now'])
        self.assertEqual(said((words, any_of), (words, one)), ['breaking:/oneOf: calls with "path" and "text" are rejected now'])
        self.assertEqual(said((words, one), (words, text)),
                         ['fine:/required: calls with "path" and "text" are accepted now',
                          'breaking:/required: calls with "path" but without "text" are rejected now'])
        self.assertEqual(said((words, any_of), (words, {**any_of, **text})),
                         ['breaking:/anyOf: calls with "path" but without "text" are rejected now'])
        link = {"link": {"type": "string"}}
        three = required("oneOf", ["path"], ["text"], ["link"])
        self.assertEqual(said(({}, one), (link, three)),
                         ['fine:/oneOf: calls with "link" but without "path" or "text" are accepted now',
                          'fine:/properties/link: it is new'])
        self.assertEqual(said((link, three), ({}, one)),
                         ['breaking:/oneOf: calls with "link" but without "path" or "text" are rejected now',
                          "breaking:/properties/link: it is gone"])
        self.assertEqual(said((words, required("oneOf", ["path"], ["text"])), (words, required("oneOf", ["text"], ["path"]))), [])
        self.assertEqual(said((words, any_of), (more, one), inside=True),
                         ['breaking:/properties/x/oneOf: objects with "path" and "text" are rejected now',
                          'fine:/properties/x/properties/unit: this value is new: "bytes"'])

    def test_a_git_revision_can_be_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            make_changed_revision(root, "it's")
            found = snapgen("diff", "HEAD:it's", "it's", cwd=root)
            self.assertEqual((found.returncode, found.stderr), (1, ""))
            self.assertIn('breaking: order.list /inputSchema/properties/page: it is gone; "leaf" has its schema', found.stdout)
            found = snapgen("diff", "HEAD~7:it's", "it's", cwd=root)
            self.assertEqual((found.returncode, found.stdout), (2, ""))
            self.assertIn("git knows no such revision", found.stderr)
            found = snapgen("diff", "HEAD:its", "it's", cwd=root)
            self.assertEqual((found.returncode, found.stdout), (2, ""))
            self.assertEqual(found.stderr, "snapgen: can't read HEAD:its: the revision HEAD has no folder its with files; "
                             "without ./ in front, it is relative to the repository's root\n")

    def test_a_revision_is_read_from_a_subfolder(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            schema = make_changed_revision(root, "part/schemas")
            for name in ("HEAD:part/schemas", "HEAD:./schemas"):
                found = snapgen("diff", name, "schemas", cwd=root / "part")
                self.assertEqual((found.returncode, found.stderr), (1, ""))
                self.assertIn("schemas/shop/order_list.json:", found.stdout)
                self.assertIn('/inputSchema/properties/page: it is gone; "leaf" has its schema', found.stdout)
            schema.unlink()
            found = snapgen("diff", "HEAD:./schemas", "schemas", cwd=root / "part")
            self.assertEqual(found.stdout, "HEAD:./schemas/shop/order_list.json:1:1: breaking: order.list: it is removed\n")

    def test_tools_with_faults_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            for side, limit in (("a", 10), ("b", 20)):
                shop = pathlib.Path(folder) / side / "shop"
                shop.mkdir(parents=True)
                for name in ("list", "part", "user"):
                    schema = {"$schema": "../meta/tool.json", "name": f"order.{name}", "description": "x", "x-snapgen": {"family": "shop"},
                              "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": limit}}}}
                    if name == "user":
                        schema["inputSchema"]["properties"] = {"n": {"$ref": "order_part.json#/inputSchema/properties/n"}}
                    if name == "part" and side == "b":
                        schema["inputSchema"]["properties"]["n"]["type"] = "intger"
                    (shop / f"order_{name}.json").write_text(json.dumps(schema))
            found = snapgen("diff", "a", "b", cwd=folder)
            self.assertEqual(found.returncode, 2)
            self.assertRegex(found.stdout, r"^b/shop/order_list\.json:1:\d+: fine: order\.list /inputSchema/properties/n: "
                             r"maximum is 20, and was 10\n$")
            self.assertIn("intger", found.stderr)
            self.assertIn("not compared, because of the faults: shop/order_part.json, shop/order_user.json\n", found.stderr)


class New(Author):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for family, name in (("shop", "order_list"), ("desk", "note_list")):
            text = (HERE / "old/shop/order_list.json").read_text().replace("../../../../../schemas", "..")
            text = text.replace("order.list", name.replace("_", ".")).replace('"shop"', f'"{family}"')
            (self.root / "schemas" / family).mkdir(parents=True)
            (self.root / "schemas" / family / f"{name}.json").write_text(text)
        (self.root / "tools/shop").mkdir(parents=True)
        (self.root / "tools/shop/order_list.cc").write_text("namespace my::server {\n}\n")

    def tearDown(self):
        self.folder.cleanup()

    def files(self):
        return sorted(str(file.relative_to(self.root)) for file in self.root.rglob("*") if file.is_file())

    def test_schema_handler_and_test_are_written_in_the_folders_of_the_family(self):
        before = self.files()
        found = snapgen("new", "tool", "order.pay_back", cwd=self.root)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertEqual(sorted(set(self.files()) - set(before)),
                         ["schemas/shop/order_pay_back.json", "tests/tools/shop/order_pay_back.json", "tools/shop/order_pay_back.cc"])
        for name in ("schemas/shop/order_pay_back.json", "tools/shop/order_pay_back.cc", "tests/tools/shop/order_pay_back.json"):
            self.assertIn(f"wrote {name}\n", found.stdout)
            self.golden("new_" + name.replace("/", "_") + ".txt", (self.root / name).read_text())
        self.assertIn("Next:", found.stdout)
        self.assertEqual(snapgen("check", cwd=self.root).returncode, 0)
        example = json.loads((self.root / "schemas/shop/order_pay_back.json").read_text())["x-snapgen"]["examples"][0]
        calls = json.loads((self.root / "tests/tools/shop/order_pay_back.json").read_text())["calls"]
        self.assertEqual(calls[0]["arguments"], example["arguments"])

    def test_a_page_with_a_table_of_tokens_must_be_updated(self):
        page = self.root / "docs/tools.md"
        page.parent.mkdir()
        page.write_text("# Tools\n")
        self.assertNotIn("docs/tools.md", snapgen("new", "tool", "order.x", cwd=self.root).stdout)
        page.write_text("# Tools\n\n| profile | tools | tokens |\n|---|---|---|\n")
        self.assertIn("5. update the table of tokens in docs/tools.md", snapgen("new", "tool", "order.y", cwd=self.root).stdout)

    def test_an_option_names_the_family(self):
        self.assertEqual(snapgen("new", "tool", "order.x", "--family", "desk", cwd=self.root).returncode, 0)
        self.assertIn("schemas/desk/order_x.json", self.files())

    def refused(self, sentence, *arguments):
        before = self.files()
        found = snapgen("new", "tool", *arguments, cwd=self.root)
        self.assertEqual((found.returncode, found.stdout), (1, ""), arguments)
        self.assertIn(sentence, found.stderr)
        self.assertEqual(self.files(), before)

    def test_an_unclear_or_unknown_family_is_rejected(self):
        self.refused("which family is other.thing in? Name it with --family: desk, shop", "other.thing")
        self.refused("there is no family shpo; did you mean shop?", "order.x", "--family", "shpo")
        self.refused("there is no family kitchen; there are desk, shop. Create it: snapgen new family kitchen", "order.x",
                     "--family", "kitchen")

    def test_a_new_family_has_its_build_file_and_its_errors(self):
        (self.root / "schemas/meson.build").write_text("")
        found = snapgen("new", "family", "kitchen", cwd=self.root)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertIn("custom_target", (self.root / "schemas/kitchen/meson.build").read_text())
        self.assertIn("namespace my::server {\n\nvoid kitchen_error(", (self.root / "tools/kitchen/error.cc").read_text())
        self.assertEqual(snapgen("new", "tool", "order.x", "--family", "kitchen", cwd=self.root).returncode, 0)
        (self.root / "schemas/meson.build").unlink()
        self.assertEqual(snapgen("new", "family", "bar", cwd=self.root).returncode, 0)
        self.assertEqual(snapgen("new", "tool", "order.y", "--family", "bar", cwd=self.root).returncode, 0)
        for name, sentence in (("kitchen", "there is a family kitchen already"), ("A-b", "is not a name for a family"),
                               ("delete", "has another meaning"), ("meta", "has another meaning")):
            refused = snapgen("new", "family", name, cwd=self.root)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn(sentence, refused.stderr)

    def test_a_new_folder_is_a_family_but_a_folder_of_documents_is_not(self):
        (self.root / "schemas/docs").mkdir()
        (self.root / "schemas/docs/guide.md").write_text("# Guide\n")
        self.refused("there is no family docs; there are desk, shop", "order.x", "--family", "docs")
        (self.root / "schemas/cellar").mkdir()
        (self.root / "schemas/attic").mkdir()
        (self.root / "schemas/attic/meson.build").write_text("")
        self.refused("there are attic, cellar, desk, shop", "order.x", "--family", "kitchen")
        for family in ("attic", "cellar"):
            self.assertEqual(snapgen("new", "tool", f"{family}.look", cwd=self.root).returncode, 0)
            self.assertIn(f"schemas/{family}/{family}_look.json", self.files())

    def test_invalid_names_are_rejected(self):
        for name in ("Order.x", "order..x", "order.x.", ".x", "1.x", "order x", "order/x", "../x", "ordér.x", ""):
            self.refused("is not a name for a tool", name)
        self.refused("at most 40 characters", "order." + "x" * 40)
        self.refused("is not a name that C++ allows", "delete", "--family", "shop")

    def test_existing_files_are_not_overwritten(self):
        self.refused("there is a tool order.list already", "order.list")
        self.refused("there is a tool order.list already", "order_list")
        for name in ("tools/shop/order_x.cc", "tests/tools/shop/order_y.json"):
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("mine")
        self.refused("tools/shop/order_x.cc already exists", "order.x")
        self.refused("tests/tools/shop/order_y.json already exists", "order.y")

    def test_a_folder_that_cannot_be_written_exits_with_2(self):
        (self.root / "tests").write_text("a file")
        found = snapgen("new", "tool", "order.x", cwd=self.root)
        self.assertEqual(found.returncode, 2)
        self.assertIn("can't write", found.stderr)
        self.assertNotIn("schemas/shop/order_x.json", self.files())


if __name__ == "__main__":
    unittest.main()
