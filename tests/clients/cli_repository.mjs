// Shared by the tests of the command line: a repository, a snapshot of it, and the validation of structured answers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { json } from './commands.mjs';
import { judge, root } from './judge.mjs';
import { repository } from './servers.mjs';

// Settings of the user who runs the tests must not affect the output of git.
Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' });

// Creates a repository with two files.
export const scratch = (t, files = { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'three\n' }) => repository(t, files);
export const taken = async (folder, ...args) => (await json(folder, ['snapshot', 'create', ...args])).value.snapshot_id;

// Validates a structured answer against the tool's schema file.
export async function fits(file, value, pointer) {
  const schema = JSON.parse(execFileSync('python3', ['-c', `
import json, os, sys
def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
def walk(node, folder, whole):
    if isinstance(node, list):
        return [walk(each, folder, whole) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        path, _, fragment = node["$ref"].partition("#")
        target, place = (load(os.path.join(folder, path)), os.path.dirname(os.path.join(folder, path))) if path else (whole, folder)
        found = target
        for part in [each for each in fragment.split("/") if each]:
            found = found[part]
        return walk(found, place, target)
    return {key: walk(each, folder, whole) for key, each in node.items() if key not in ("x-snapgen", "$schema", "$defs")}
whole = load(sys.argv[1])
node = whole[sys.argv[2]] if sys.argv[2] else whole
print(json.dumps(walk(node, os.path.dirname(sys.argv[1]), whole)))
`, join(root, 'schemas', file), pointer ?? ''], { encoding: 'utf8' }));
  const [verdicts] = await judge([{ schema, values: [value] }]);
  assert.deepEqual(verdicts, [true], `${file}: ${JSON.stringify(value)}`);
}
export const fitsTool = (file, value) => fits(file, value, 'outputSchema');
