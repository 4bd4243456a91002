"""A session with a server that uses most of the system: captures, patches, restores, a check, and a change that the
server must see by itself. The functions raise an AssertionError at the first wrong answer."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"


def repository(folder):
    """Creates a repository without the program git: one file, and no commit."""
    (folder / ".git/objects").mkdir(parents=True)
    (folder / ".git/refs/heads").mkdir(parents=True)
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    (folder / "a.txt").write_text("one\n")
    (folder / "tool.sh").write_text("#!/bin/sh\nexit 0\n")
    return folder


def ask_once(command, workspace, name, arguments, **options):
    """Returns the text of the answer to one call of a new server."""
    session = calls.Server([*command, "--stdio", "--workspace", workspace], **options)
    answer = session.ask("tools/call", {"name": name, "arguments": arguments})
    assert session.close() == 0
    return json.dumps(answer)


def play(command, folder, seen_as=None, **options):
    """Runs the session. `seen_as` is the folder's path in the server's root."""
    session = calls.Server([*command, "--stdio", "--workspace", str(seen_as or folder)], **options)

    def ask(name, **arguments):
        result = session.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        assert not result.get("isError"), (name, result)
        return result.get("structuredContent")

    file = folder / "a.txt"
    assert session.opened["result"]["serverInfo"]["name"] == "snapgen-server", session.opened
    taken = ask("snapshot_create", paths=["."], message="first")["snapshot_id"]
    ask("workspace_apply_patch", patch=PATCH)
    assert file.read_text() == "two\n", file.read_text()
    assert ask("snapshot_grep", pattern="tw.")["matches"], "no match"
    lease = ask("snapshot_file", path="a.txt")["lease_id"]
    file.write_text("three\n")
    stale = session.ask("tools/call", {"name": "snapshot_file", "arguments": {"path": "a.txt", "lease_id": lease}})
    assert "STALE_LEASE" in json.dumps(stale), stale
    assert "three" in json.dumps(ask("snapshot_diff", against=taken)), "no difference"
    ask("snap_fix", action="restore", id=taken)
    assert file.read_text() == "one\n", file.read_text()
    ask("workspace_delete", path="a.txt")
    assert not file.exists()
    ask("snap_fix", action="restore", id=taken)
    assert file.read_text() == "one\n", file.read_text()
    ask("check", mode="quick")
    assert ask("history_list"), "no history"
    assert session.close() == 0
