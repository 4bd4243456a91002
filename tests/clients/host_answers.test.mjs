// The form and length of answers for each host, through the official SDKs. The form depends on the client's name or on
// --answers. The text form contains all that further calls need.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { outputOf, sources } from './schema_files.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const answering = (folder, ...args) => ({ ...snapgen(folder), args: [...snapgen(folder).args, ...args] });
const toy = { 'README.md': '# Toy Repo\n', 'src/greet.py': 'def greet(name):\n    return "good morning " + name\n' };
const textOf = (result) => {
  assert.equal(result.structuredContent, undefined);
  assert.deepEqual(result.content.map((block) => block.type), ['text']);
  return result.content[0].text;
};
const found = (pattern, text) => {
  const [, value] = pattern.exec(text) ?? [];
  assert.ok(value, `${pattern} in ${text}`);
  return value;
};

test('with --answers text the texts contain all that is needed to read, write and undo', async (t) => {
  for (const opening of openings) {
    const { list, call, errors } = await connect(t, opening, answering(repository(t, toy), '--answers', 'text'));
    for (const tool of await list()) assert.equal(tool.outputSchema, undefined, `${opening.name}: ${tool.name}`);
    const said = async (name, args) => textOf(await call(name, args));

    const snapshot = found(/^(snap_[0-9a-f]{10}) 2 files/, await said('snapshot_create', { paths: ['.'] }));
    const listed = await said('snapshot_list', { recursive: true });
    const lease = found(/ (lease_[a-z2-7]{16})\n/, listed);
    assert.match(listed, /\nREADME\.md\nsrc\/greet\.py\n$/);
    assert.match(await said('snapshot_grep', { pattern: 'return', lease_id: lease }), /\nsrc\/greet\.py:2: {4}return "good morning " \+ name\n$/);
    const read = await said('snapshot_file', { path: 'README.md', lease_id: lease });
    assert.equal(read.split('\n').slice(1).join('\n'), toy['README.md']);
    const blob = found(/ blob ([0-9a-f]{10})\n/, read);
    const written = await said('workspace_write_file', { path: 'README.md', content: '# Game\n', expected_blob: blob, lease_id: lease });
    const undo = found(/ undo (snap_[0-9a-f]{10})/, written);
    const refused = await call('workspace_write_file', { path: 'README.md', content: 'x', expected_blob: blob });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /^REPO_CHANGED: README\.md has the blob .*\nexpected_blob: .*\nfound_blob: [0-9a-f]{10}\npath: README\.md$/s);
    assert.match(await said('snapshot_diff', { against: snapshot }), /\n-# Toy Repo\n\+# Game\n/);
    assert.match(await said('snap_fix', { action: 'restore', id: undo }), /Restored 1 file/);
    assert.equal((await said('snapshot_file', { path: 'README.md' })).split('\n')[1], '# Toy Repo');
    assert.deepEqual(errors, []);
  }
});

test('every example returns one text, and an error has a code and a sentence', async (t) => {
  const { call } = await connect(t, openings[0], { ...answering(repository(t, toy), '--answers', 'text', '--profile', 'full'), env: { SNAPBACK_TIER: 'pro' } });
  for (const source of sources) {
    const name = source.name.replaceAll('.', '_');
    for (const example of source['x-snapgen'].examples) {
      const result = await call(name, example.arguments);
      const text = textOf(result);
      if (source['x-snapgen'].family === 'wire') assert.match(text, name === 'snap_help' ? /\S/ : /^🧢\|/);
      else if (result.isError) assert.match(text, /^[A-Z_]+: .*\.$/m, `${name}: ${text}`);
      else assert.doesNotMatch(text, /^[[{]/, `${name}: ${text}`);
    }
    const wrong = await call(name, { no_such_argument: true });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /no_such_argument/, name);
    if (source['x-snapgen'].family !== 'wire') assert.match(textOf(wrong).replace(/^next: .*$/gm, ''), /^INVALID_ARGUMENT: [^{}]+$/, name);
  }
});

test('the form of results depends on the client\'s name, with and without initialize', async (t) => {
  const folder = repository(t, toy);
  for (const opening of openings.filter((one) => !one.http)) {
    const text = await connect(t, opening, answering(folder), 'claude-code');
    assert.match(textOf(await text.call('snapshot_file', { path: 'README.md' })), /^README\.md 1 line blob \w{10} lease_/);
    assert.ok((await text.list()).every((tool) => tool.outputSchema === undefined));

    const other = await connect(t, opening, answering(folder));
    const { structuredContent, content } = await other.call('snapshot_file', { path: 'README.md' });
    assert.equal(structuredContent.content, toy['README.md']);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    const briefly = (await other.list()).find((tool) => tool.name === 'snapshot_grep').outputSchema;
    assert.ok(briefly.oneOf.every((branch) => !('matches' in branch.properties)));

    const exact = await connect(t, opening, answering(folder), 'codex-mcp-client');
    const { structuredContent: found } = await exact.call('snapshot_grep', { pattern: 'greet' });
    assert.deepEqual(Object.keys(found), ['files_searched', 'lease_id', 'matches', 'skipped', 'truncated']);
    assert.equal(found.matches[0].path, 'src/greet.py');
    for (const tool of await exact.list()) {
      const schema = outputOf(tool.name);
      assert.equal(tool.outputSchema === undefined, schema === undefined, tool.name);
      if (schema === undefined) continue;
      const kinds = (schema.oneOf ?? [schema]).filter((kind) => !kind.required?.includes('error'));
      const names = new Set(kinds.flatMap((kind) => Object.keys(kind.properties)));
      for (const omitted of ['cache_hint', 'fingerprint']) names.delete(omitted);
      assert.deepEqual(Object.keys(tool.outputSchema.properties), [...names].sort(), tool.name);
      const always = [...names].filter((name) => kinds.every((kind) => kind.required?.includes(name)));
      assert.deepEqual(tool.outputSchema.required, always.sort(), tool.name);
    }
    const listed = (await exact.list()).find((tool) => tool.name === 'snapshot_grep').outputSchema;
    assert.ok(new Ajv2020({ strict: false }).validate(listed, found));
  }
});

test('the setting answers selects the form, and the command line overrides it', async (t) => {
  const folder = repository(t, toy);
  mkdirSync(join(folder, '.snapback'));
  writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify({ answers: 'text' }));
  const byFile = await connect(t, openings[0], answering(folder));
  assert.match(textOf(await byFile.call('snapshot_file', { path: 'README.md' })), /^README\.md 1 line /);
  const byWords = await connect(t, openings[0], answering(folder, '--answers', 'json'), 'opencode');
  assert.ok((await byWords.call('snapshot_file', { path: 'README.md' })).structuredContent);
});

test('an argument that one host adds to every call is ignored for that host alone', async (t) => {
  const folder = repository(t, toy);
  const gemini = await connect(t, openings[0], answering(folder), 'gemini-cli-mcp-client');
  for (const value of [true, false]) {
    assert.match(textOf(await gemini.call('snapshot_file', { path: 'README.md', wait_for_previous: value })), /^README\.md /);
    assert.match(textOf(await gemini.call('snap_help', { wait_for_previous: value })), /\S/);
  }
  const wrong = await gemini.call('snapshot_file', { path: 'README.md', wait_for_previous: true, wait_for_next: true });
  assert.match(textOf(wrong), /^INVALID_ARGUMENT: [^{}]*"wait_for_next"/);
  for (const name of ['snapgen-clients', 'opencode']) {
    const other = await connect(t, openings[0], answering(folder), name);
    assert.equal((await other.call('snap_help', { wait_for_previous: true })).isError, true, name);
  }
});

// The length that each host shows completely, in bytes of text and in lines.
const limits = { 'claude-code': [50_000], 'copilot-cli': [20_480], 'gemini-cli-mcp-client': [40_000], opencode: [51_200, 2_000], 'qwen-cli-mcp-client-snapgen': [25_000], 'codex-mcp-client': [48_000] };

test('results do not exceed the host\'s limit, and say how to get the rest', { timeout: 120_000 }, async (t) => {
  const line = (i) => `line ${String(i).padStart(6, '0')} of a long file, "fifty" bytes each...`;
  const long = `${Array.from({ length: 6000 }, (_, i) => line(i + 1)).join('\n')}\n`;
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`data/some/folder/with/a/long/name/file_${String(i).padStart(5, '0')}.txt`, `number ${i}\n`]));
  const folder = repository(t, { 'long.txt': long, ...many });
  for (const path of Object.keys(many)) writeFileSync(join(folder, path), 'other\n');
  for (const [name, [bytes, lines = Infinity]] of Object.entries(limits)) {
    const { call } = await connect(t, openings[0], answering(folder), name);
    const shown = async (tool, args) => {
      const result = await call(tool, args);
      assert.ok(!result.isError, result.content[0].text);
      const text = name === 'codex-mcp-client' ? JSON.stringify(result.structuredContent) : textOf(result);
      assert.ok(Buffer.byteLength(text) <= bytes, `${name}, ${tool}: ${Buffer.byteLength(text)} bytes`);
      assert.ok(text.split('\n').length <= lines, `${name}, ${tool}: ${text.split('\n').length} lines`);
      return { text, structured: result.structuredContent };
    };
    let read = '';
    for (let next = 1; next;) {
      const { text, structured } = await shown('snapshot_file', { path: 'long.txt', start_line: next });
      read += structured ? structured.content : text.slice(text.indexOf('\n') + 1);
      next = structured ? structured.next_start_line : Number(/continue with start_line (\d+)/.exec(text.split('\n')[0])?.[1]);
    }
    assert.equal(read, long, name);

    const paths = [];
    for (let cursor; ;) {
      const { text, structured } = await shown('snapshot_list', { path: 'data', recursive: true, max_entries: 1000, ...(cursor && { cursor }) });
      paths.push(...(structured ? structured.entries.filter((entry) => entry.type === 'file').map((entry) => entry.path) : text.split('\n').filter((one) => one.endsWith('.txt'))));
      cursor = structured ? structured.next_cursor : /continue with cursor (\S+)/.exec(text)?.[1];
      if (!cursor) break;
    }
    assert.deepEqual(paths, Object.keys(many), name);

    const search = await shown('snapshot_grep', { pattern: 'other', max_matches: 1500 });
    assert.match(search.text, search.structured ? /"truncated":true/ : /\nfirst \d+ shown; narrow the search/);
    const diff = await shown('snapshot_diff', {});
    assert.match(diff.text, diff.structured ? /"truncated":true/ : /\nname only the omitted files with paths/);

    // An explicit length overrides the host's limit.
    const whole = await call('snapshot_file', { path: 'long.txt', max_bytes: 1_000_000 });
    assert.ok(whole.content[0].text.includes(line(6000).slice(0, 26)), name);
  }
});
