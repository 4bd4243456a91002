// The exact sentences of the tools that models use most, in one golden file for each tool. Other tests assert the facts
// in an answer, so a change of its words changes only these files. UPDATE=1 writes them again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';

import { openings } from './sdks.mjs';
import { scenes } from './sentence_scenes.mjs';
import { build, trust, unprivileged } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const golden = join(import.meta.dirname, 'golden/sentences');

const python = 'def f():\n    return "one"\n\ndef g():\n    return "two"\n';
const same = 'same\nother\nsame\n';
const patch = (path, old, replacement) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${old}\n+${replacement}\n`;

// The files that the calls of a tool find, in its folder.
const files = (folder) => ({
  [`${folder}/a.py`]: python, [`${folder}/same.txt`]: same, [`${folder}/full/x.txt`]: 'x\n', '.gitignore': '*.log\n',
});

// For each tool, calls with typical right and wrong arguments. `at` is the tool's folder, SNAPSHOT the id of a snapshot of
// all files, and UNKNOWN an id that the server never made.
const calls = {
  snapshot_file: (at) => [
    { path: `${at}/a.py` }, { path: `${at}/a.py`, start_line: 2, end_line: 2 }, { path: `${at}/a.py`, max_bytes: 12 }, { paths: [`${at}/a.py`, `${at}/none.py`] },
    { path: `${at}/b.py` }, { path: at }, { path: '../outside' }, { path: '/etc/passwd' }, { path: '.git/config' }, { path: `${at}/a.py`, start_line: 90 },
    { path: `${at}/a.py`, start_line: 3, end_line: 2 }, { path: `${at}/a.py`, lease_id: 'lease_aaaaaaaaaaaaaaaa' }, { path: `${at}/a.py`, snapshot_id: 'UNKNOWN' },
    { path: `${at}/none.py`, snapshot_id: 'SNAPSHOT' }, { path: `${at}/a.py`, line: 3 }, {},
  ],
  snapshot_grep: (at) => [
    { pattern: 'return', paths: [at] }, { pattern: 'return', paths: [at], max_matches: 1 }, { pattern: 'nowhere', paths: [at] }, { pattern: '(', paths: [at] },
    { pattern: '(', fixed: true, paths: [at] }, { pattern: 'x', paths: [`${at}/none`] }, { pattern: 'x', paths: ['../outside'] }, { pattern: '', paths: [at] },
    { pattern: 'x', globs: ['[a'] }, { pattern: 'x', snapshot_id: 'UNKNOWN' }, { pattern: '(?<=a)b', paths: [at] }, { query: 'x' },
  ],
  workspace_edit: (at) => [
    { edits: [{ path: `${at}/a.py`, old: '"one"', new: '"1"' }] }, { edits: [{ path: `${at}/new.txt`, create: 'new\n' }], dry_run: true },
    { edits: [{ path: `${at}/a.py`, old: "  return 'two'", new: '' }] }, { edits: [{ path: `${at}/same.txt`, old: 'same', new: 'x' }] },
    { edits: [{ path: `${at}/none.txt`, delete: true }] }, { edits: [{ path: '../outside', create: 'x' }] }, { edits: [{ path: `${at}/same.txt`, create: 'x' }] },
    { edits: [{ path: `${at}/same.txt`, old: 'other', new: 'other' }] }, { edits: [{ path: `${at}/same.txt` }] }, { edits: [] }, {},
  ],
  workspace_apply_patch: (at) => [
    { patch: patch(`${at}/a.py`, 'def f():', 'def h():') }, { patch: patch(`${at}/a.py`, 'def h():', 'def h():') }, { patch: patch(`${at}/same.txt`, 'other', 'x'), dry_run: true },
    { patch: patch(`${at}/a.py`, 'def none():', 'x') }, { patch: patch(`${at}/same.txt`, 'same', 'x') }, { patch: patch(`${at}/none.txt`, 'a', 'b') },
    { patch: patch('../outside', 'a', 'b') }, { patch: 'no patch' }, { patch: '' }, { patch: patch(`${at}/a.py`, 'def h():', 'x'), snapshot_id: 'UNKNOWN' }, {},
  ],
  workspace_write_file: (at) => [
    { path: `${at}/a.py`, content: 'pass\n' }, { path: `${at}/a.py`, content: 'pass\n' }, { path: `${at}/new/n.txt`, content: 'n\n' }, { path: at, content: 'x' },
    { path: '../outside', content: 'x' }, { path: '.git/config', content: 'x' }, { path: '.snapback/config.json', content: '{}' },
    { path: `${at}/a.py/b`, content: 'x' }, { path: `${at}/x`, content: 'base64:%' }, { path: `${at}/a.py`, content: 'x', expected_blob: '0'.repeat(40) }, { path: `${at}/x` },
  ],
  workspace_delete: (at) => [
    { path: `${at}/same.txt` }, { path: `${at}/same.txt` }, { path: `${at}/full` }, { path: `${at}/full`, recursive: true }, { path: `${at}/dirty.txt` },
    { path: '../outside' }, { path: '.git' }, { path: '.' }, {},
  ],
  snap_fix: (at) => [
    { action: 'diff', id: 'SNAPSHOT', paths: [at] }, { action: 'restore', id: 'SNAPSHOT', paths: [`${at}/a.py`] }, { action: 'restore', id: 'SNAPSHOT', paths: [`${at}/none.py`] },
    { action: 'restore', id: 'UNKNOWN' }, { action: 'restore' }, { action: 'diff', id: 'SNAPSHOT', diffWith: 'UNKNOWN' }, { action: 'undo' }, { action: 'restore', id: 'last' },
  ],
  check: (at) => [
    { mode: 'quick', files: [`${at}/a.py`] }, { mode: 'quick', files: [`${at}/bad.py`] }, { mode: 'quick', files: [`${at}/none.py`] }, { mode: 'quick', files: ['../outside'] },
    { mode: 'impact', files: [`${at}/a.py`] }, { mode: 'quick', taskId: 'task_aaaaaaaa' }, { mode: 'lint' }, {},
  ],
};

// Parts that differ between two runs, each with the name that replaces it.
const changing = [
  [/lease_(?!a{16})[0-9a-z]{16}/g, 'lease_ID'],
  [/snap_(?!0{10})[0-9a-f]{10}/g, 'snap_ID'],
  [/patch_[0-9a-f]{12}/g, 'patch_ID'],
  [/task_(?!a{8})[a-z2-7]{8}/g, 'task_ID'],
  [/\bcall_[0-9a-z]{8}_\d+/g, 'call_ID'],
  [/snapgen client test \w{6}/g, 'FOLDER'],
];
const stable = (text) => changing.reduce((rest, [value, name]) => rest.replaceAll(value, name), text);

const serverOf = (tier, profile = 'full') => sharedServer(openings[0], {
  args: ['--profile', profile], env: { ...process.env, SNAPBACK_TIER: tier }, name: 'claude-code', started: unprivileged,
});

describe('the sentences of', () => {
  const servers = { 'enterprise full': serverOf('enterprise'), 'free full': serverOf('free'), 'free facade': serverOf('free', 'facade') };
  const standard = servers['enterprise full'];
  const textOf = async (call, tool, args) => {
    // The SDK throws for errors of the protocol.
    const text = await call(tool, args).then(({ content }) => content.map((each) => each.text).join('\n'), (error) => error.message);
    return text.trimEnd();
  };
  let folder;
  let call;
  let snapshot;
  before(async () => {
    folder = standard.repository({ after: () => {} }, Object.assign({}, ...Object.keys(calls).map(files)));
    trust(folder);
    ({ call } = await standard.connection(folder));
    [snapshot] = /snap_[0-9a-f]{10}/.exec((await call('snapshot_create', { paths: ['.'] })).content[0].text);
    for (const tool of Object.keys(calls)) writeFileSync(join(folder, tool, 'dirty.txt'), 'not committed\n');
    writeFileSync(join(folder, 'check/bad.py'), 'def f(:\n');
    writeFileSync(join(folder, 'snap_fix/a.py'), 'changed\n');
  });

  // Returns the answers to the tool's calls with typical arguments.
  const answersOf = async (tool) => {
    const parts = [];
    for (const args of calls[tool]?.(tool) ?? []) {
      const sent = JSON.parse(JSON.stringify(args).replaceAll('SNAPSHOT', snapshot).replaceAll('UNKNOWN', 'snap_0000000000'));
      parts.push(`→ ${JSON.stringify(args)}\n${stable(await textOf(call, tool, sent))}\n`);
    }
    return parts;
  };

  const answersIn = async (t, tool, { title, files: committed, tier = 'enterprise', profile = 'full', run }) => {
    const server = servers[`${tier} ${profile}`];
    const at = server.repository(t, committed);
    trust(at);
    const { call: callThere } = await server.connection(at);
    const parts = [`# ${title}\n`];
    await run({
      folder: at,
      ask: async (args) => parts.push(stable(`→ ${JSON.stringify(args)}\n${await textOf(callThere, tool, args)}\n`)),
      call: (name, args) => textOf(callThere, name, args),
      git: (...words) => execFileSync('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { stdio: 'ignore' }),
      snap: (...words) => execFileSync(join(build, 'snap'), [...words, '--workspace', at], { stdio: 'ignore' }),
      write: (path, content) => {
        mkdirSync(dirname(join(at, path)), { recursive: true });
        writeFileSync(join(at, path), content);
      },
      remove: (path) => rmSync(join(at, path), { recursive: true }),
    });
    return parts;
  };

  for (const tool of new Set([...Object.keys(calls), ...Object.keys(scenes)])) {
    test(tool, async (t) => {
      const parts = await answersOf(tool);
      for (const scene of scenes[tool] ?? []) parts.push(...(await answersIn(t, tool, scene)));
      const path = join(golden, `${tool}.txt`);
      const made = parts.join('\n');
      if (process.env.UPDATE) writeFileSync(path, made);
      assert.equal(made, readFileSync(path, 'utf8'), `UPDATE=1 writes ${path} again`);
    });
  }
});
