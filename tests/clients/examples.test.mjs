// Calls every listed tool with every example of its schema file over an official SDK, with a Node program as the
// browser where one is needed. Ajv validates each answer against the tool's whole output schema. No tool is named here:
// new tools and examples are called automatically, and the test fails if a tool was not called.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

import { bridgePackage } from './bridge_package.mjs';
import { momentOf } from './moments.mjs';
import { outputOf, read, sources } from './schema_files.mjs';
import { connect, openings } from './sdks.mjs';
import { remove, repository, snapgen } from './servers.mjs';

// The repository that the schema files refer to, and the state that examples of the facade refer to.
const toy = {
  'README.md': '# Toy Repo', 'src/main.rs': 'fn main() {}', 'src/auth.ts': 'export {};\n', 'src/main.ts': 'export {};\n', 'auth.ts': 'export {};\n', 'run.sh': 'true\n',
  'package.json': JSON.stringify({ name: 'toy', version: '1.0.0', dependencies: { 'left-pad': '^1.3.0' } }),
  '.snapback/.gitignore': '*\n',
};
const opening = openings.find((each) => each.name === 'SDK v2, pinned to 2026-07-28');

test('the result of every example matches the tool\'s output schema', { timeout: 600_000 }, async (t) => {
  const folder = repository(t, toy);
  const server = snapgen(folder);
  const { list, call } = await connect(t, opening, { ...server, args: [...server.args, '--ws', '0'], env: { ...process.env, SNAPBACK_TIER: 'pro' } });
  const listed = await list();
  assert.deepEqual(listed.map((tool) => tool.name).toSorted(), sources.map((source) => source.name.replaceAll('.', '_')).toSorted(), 'every listed tool has a schema file');
  const done = async (name, args = {}) => {
    let result = await call(name, args);
    // The calls of the examples are faster than a browser may be called: the answer says how long to wait.
    const wait_ms = result.isError && /"retry_after_ms":(\d+)/.exec(result.content[0].text)?.[1];
    if (wait_ms) {
      await setTimeout(Number(wait_ms));
      result = await call(name, args);
    }
    assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
    return result;
  };

  // The browser answers as the examples show.
  const made = mkdtempSync(join(folder, '../snapgen-examples-'));
  t.after(() => remove(made));
  const { SnapgenBridge } = await bridgePackage(made);
  const answers = Object.fromEntries(sources.filter((source) => source.name.startsWith('bridge.')).map((source) =>
    [source.name.slice('bridge.'.length), source['x-snapgen'].examples[0].result?.payload]));
  const { structuredContent: pairing } = await done('bridge_pair', { permissions: Object.keys(answers).flatMap((name) =>
    name === 'execute_script' ? ['execute_scripts'] : ['batch', 'events', 'pair', 'status'].includes(name) ? [] : [name]) });
  const bridge = new SnapgenBridge({ url: pairing.url, reconnectDelay: 1,
    handlers: Object.fromEntries(Object.entries(answers).filter(([, payload]) => payload).map(([name]) => [name, () => answers[name]])) });
  t.after(() => bridge.disconnect());
  await bridge.connect(pairing.code);

  const git = (...words) => execFileSync('git', ['-C', folder, ...words]);
  const reset = () => {
    git('reset', '--quiet', '--hard');
    git('clean', '-fdq');
  };
  const capture = async () => (await done('snapshot_create', { paths: ['.'] })).structuredContent.snapshot_id;
  writeFileSync(join(folder, 'README.md'), '# Toy');
  const other = await capture();
  reset();

  // Replaces ids of the schema files by existing ones, and creates the state that an example needs.
  const prepared = async (source, args) => {
    const real = { ...args };
    reset();
    if (real.snapshot_id) real.snapshot_id = await capture();
    if (real.id) real.id = `snap_${(await capture()).slice('sha256:'.length, 'sha256:'.length + 10)}`;
    if (/^snap_/.test(real.against ?? '')) real.against = other;
    if (real.target) {
      writeFileSync(join(folder, 'src/main.rs'), `fn main() {} // ${real.target}`);
      real.target = (await momentOf(call, 'src/main.rs', 'modified')).moment;
    }
    if (real.lease_id) real.lease_id = (await done('snapshot_list', { recursive: true })).structuredContent.lease_id;
    if (real.taskId) real.taskId = /task_[a-z2-7]{8}/.exec((await done('snap', { mode: 'start', task: 'an example' })).content[0].text)[0];
    if (source.name === 'snapback.context' && real.domain) {
      mkdirSync(join(folder, '.snapback/ctx'), { recursive: true });
      const file = join(folder, '.snapback/ctx/context.json');
      writeFileSync(file, JSON.stringify({ ...read(file), constraints: { [real.domain]: { [real.name]: { max: 250, unit: 'kB' } } } }));
    }
    return real;
  };

  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const called = new Set();
  const count = { examples: 0 };
  const tokenizer = new Tiktoken(o200k);
  const spent = new Map(); // tokens of the answers of each tool
  for (const source of sources) {
    const tool = listed.find((each) => each.name === source.name.replaceAll('.', '_'));
    const { examples } = source['x-snapgen'];
    assert.ok(examples?.length > 0, `${source.name} has an example`);
    const listedInput = ajv.compile(tool.inputSchema);
    const listedOutput = tool.outputSchema && ajv.compile(tool.outputSchema);
    const output = source.outputSchema && ajv.compile(outputOf(source.name));
    for (const example of examples) {
      const args = await prepared(source, example.arguments);
      const what = `${source.name} ${JSON.stringify(args).slice(0, 300)}`;
      assert.ok(listedInput(args), `${what}: the listed schema rejects the arguments: ${JSON.stringify(listedInput.errors)}`);
      if (source.name.startsWith('bridge.')) answers[source.name.slice('bridge.'.length)] = example.result?.payload;
      const result = await done(tool.name, args);
      ++count.examples;
      called.add(tool.name);
      spent.set(tool.name, [...(spent.get(tool.name) ?? []), tokenizer.encode(result.content.map((one) => one.text ?? '').join('')).length]);
      if (!output) {
        assert.equal(result.structuredContent, undefined, what);
        assert.match(result.content[0].text, source.name === 'snap_help' ? /\S/ : /^🧢\|[A-Z]\|/, what);
        continue;
      }
      const value = result.structuredContent;
      assert.ok(output(value), `${what}: ${JSON.stringify(output.errors?.slice(0, 3))} in ${JSON.stringify(value).slice(0, 500)}`);
      assert.ok(listedOutput(value), `${what}: the listed schema rejects the answer`);
      // The answer has the members and the outcome of the example's result.
      if (!example.result) continue;
      for (const key of Object.keys(example.result)) assert.ok(key in value, `${what}: ${key}`);
      for (const key of ['applied', 'cache_hint', 'created', 'status', 'truncated']) assert.equal(value[key], example.result[key] ?? value[key], `${what}: ${key}`);
      if (bridge && source.name.startsWith('bridge.') && example.result.payload && source.name !== 'bridge.batch') assert.deepEqual(value.payload, example.result.payload, what);
    }
  }
  for (const [name, tokens] of spent) t.diagnostic(`${name}: ${tokens.join(', ')} tokens`);
  assert.deepEqual([...called].toSorted(), listed.map((tool) => tool.name).toSorted(), 'every tool was called');
  assert.equal(count.examples, sources.reduce((sum, source) => sum + source['x-snapgen'].examples.length, 0));
});

test('every example of a tool above the tier fails with TIER_REQUIRED', async (t) => {
  const { call } = await connect(t, opening, { ...snapgen(repository(t, toy)), env: { ...process.env, SNAPBACK_TIER: 'free' } });
  const paid = sources.filter((source) => source['x-snapgen'].tier && source['x-snapgen'].tier !== 'free');
  assert.ok(paid.length > 0);
  for (const source of paid)
    for (const example of source['x-snapgen'].examples) {
      const result = await call(source.name.replaceAll('.', '_'), example.arguments);
      assert.equal(result.isError, true, source.name);
      const { error } = JSON.parse(result.content[0].text);
      assert.deepEqual([error.code, error.required_tier], ['TIER_REQUIRED', source['x-snapgen'].tier], source.name);
    }
});
