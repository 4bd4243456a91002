// Calls every tool of the substrate family on the real server, in every mode and with every example of its schema file.
// Each answer must be valid against exactly one branch of its output schema and of the listed output schema, and its
// cache_hint must be that of the mode. No tool is named here: a new tool is tested automatically, and fails if it has
// no example. Tools whose answer does not depend on the repository have no `coherence` and no cache_hint.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { firstState, momentOf } from './moments.mjs';
import { outputOf } from './schema_files.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const family = join(import.meta.dirname, '../../schemas/substrate');
const sources = readdirSync(family)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(family, name), 'utf8')))
  .filter((source) => (source['x-snapgen']?.coherence ?? 'none') !== 'none');

// The repository that the examples refer to.
const toy = { 'README.md': '# Toy Repo', 'src/main.rs': 'fn main() {}' };

// Returns the cache_hint that a call must return.
function hint(source, args) {
  const { coherence } = source['x-snapgen'];
  if (coherence !== 'hybrid') return coherence === 'snapshot' ? 'immutable' : 'until_dirty';
  const compares = source.inputSchema.required?.includes('snapshot_id');
  const mode = args.mode ?? ((compares ? args.against : args.snapshot_id) ? 'snapshot' : 'worktree');
  return mode === 'snapshot' ? 'immutable' : 'until_dirty';
}

// Yields the examples as written and, for tools with modes, also in each mode.
function calls(source) {
  const examples = source['x-snapgen'].examples.map((example) => example.arguments);
  const modes = source.inputSchema.properties.mode ? ['snapshot', 'worktree'] : [];
  const compares = source.inputSchema.required?.includes('snapshot_id');
  const adapted = examples.flatMap((example) => modes.map((mode) => {
    const { lease_id: lease, snapshot_id: id, ...args } = example;
    const snapshot = mode === 'snapshot';
    if (compares) {
      delete args.against;
      return { ...args, mode, snapshot_id: id, ...(snapshot && { against: 'snap_0000000000' }) };
    }
    // This argument applies only to the work tree.
    if (snapshot) delete args.untracked;
    return { ...args, mode, ...(snapshot && { snapshot_id: 'snap_0000000000' }), ...(!snapshot && lease && { lease_id: lease }) };
  }));
  return [...examples, ...adapted];
}

test('every answer about the repository matches one branch of its schema, with the cache_hint of its mode', async (t) => {
  const folder = repository(t, toy);
  const reset = () => {
    const git = (...words) => execFileSync('git', ['-C', folder, ...words]);
    git('reset', '--quiet', '--hard');
    git('clean', '-fdq');
  };
  const { list, call } = await connect(t, openings[0], snapgen(folder));
  const tools = (await list()).filter((tool) => sources.some((source) => source.name.replaceAll('.', '_') === tool.name));
  assert.equal(tools.length, sources.length, 'every tool that reads the repository is listed');

  await firstState(call);
  const capture = async () => (await call('snapshot_create', { paths: ['.'] })).structuredContent.snapshot_id;
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/new.rs'), 'mod main;');
  const other = await capture();
  rmSync(join(folder, 'src/new.rs'));

  // Replaces the ids of the schema files by existing ones.
  const real = async (args) => {
    const out = { ...args };
    if (out.snapshot_id) out.snapshot_id = await capture();
    if (/^snap_|^sha256:/.test(out.against ?? '')) out.against = other;
    if (out.target) {
      writeFileSync(join(folder, 'src/main.rs'), `fn main() {} // ${out.target}`);
      out.target = (await momentOf(call, 'src/main.rs', 'modified')).moment;
    }
    if (out.lease_id) out.lease_id = (await call('snapshot_list', { recursive: true })).structuredContent.lease_id;
    return out;
  };
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false, allErrors: true });
  for (const source of sources) {
    const tool = tools.find((one) => one.name === source.name.replaceAll('.', '_'));
    const schema = outputOf(source.name);
    const listed = ajv.compile(tool.outputSchema);
    const whole = ajv.compile(schema);
    const branches = schema.oneOf.map((branch) => ({ hint: branch.properties.cache_hint?.const, check: ajv.compile(branch) }));
    const seen = new Set();
    const fits = (value, expected, what) => {
      assert.ok(whole(value), `${what}: ${JSON.stringify(whole.errors?.slice(0, 3))} in ${JSON.stringify(value).slice(0, 500)}`);
      const matching = branches.filter((branch) => branch.check(value));
      assert.deepEqual(matching.map((branch) => branch.hint), [expected], `${what}: the branch`);
      assert.equal(value.cache_hint, expected, `${what}: cache_hint`);
      seen.add(matching[0]);
    };
    for (const wanted of calls(source)) {
      reset();
      const args = await real(wanted);
      const what = `${source.name} ${JSON.stringify(args)}`;
      const result = await call(tool.name, args);
      assert.ok(!result.isError, `${what}: ${result.content[0].text}`);
      fits(result.structuredContent, hint(source, args), what);
      assert.ok(listed(result.structuredContent), `${what}: the answer matches the listed schema`);
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, `${what}: the text is the JSON of the structured content`);
    }
    const refused = await call(tool.name, { no_such_argument: true });
    assert.equal(refused.isError, true);
    assert.equal(refused.structuredContent, undefined);
    fits(JSON.parse(refused.content[0].text), undefined, `${source.name} that fails`);
    assert.deepEqual(branches.filter((branch) => !seen.has(branch)).map((branch) => branch.hint), [], `${source.name}: every branch of the output schema occurred`);
  }
});
