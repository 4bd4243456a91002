// What runs, and what is lost, only after the user's consent: programs of checks, tools of the repository, and content that
// a call discards.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { everything, modern, sharedAsked, startAsked } from './asked.mjs';
import { connect, openings } from './sdks.mjs';
import { build, repository, snapgen, trust } from './servers.mjs';

const script = (text) => JSON.stringify({ scripts: { test: `echo ${text} > ran; exit 0` } });
const textOf = (result) => result.content.map((each) => each.text).join('\n');
const notice = /this runs code of this repository, whatever it becomes: `npm run test`\. Call again to consent and run it/;

for (const era of ['2025-11-25', modern]) {
  describe(`consent, ${era}`, () => {
    const answering = (...said) => {
      const questions = [];
      return { questions, answers: { 'elicitation/create': ({ message }) => { questions.push(message); return said.shift(); } } };
    };
    const files = { 'package.json': script('one'), '.gitignore': 'ran\n.env\n' };
    const start = sharedAsked(era, everything, { files, profile: 'full' });
    const startUnable = sharedAsked(era, {}, { files, profile: 'full' });

    test('without a client that asks, the second call is the consent, and it lasts', async (t) => {
      const { folder, call } = await startUnable(t);
      assert.match(textOf(await call('check', { mode: 'test' })), notice);
      assert.equal(existsSync(join(folder, 'ran')), false);
      await call('check', { mode: 'test' });
      assert.equal(readFileSync(join(folder, 'ran'), 'utf8'), 'one\n');
      writeFileSync(join(folder, 'package.json'), script('two'));
      assert.doesNotMatch(textOf(await call('check', { mode: 'test' })), /this runs code/);
      assert.equal(readFileSync(join(folder, 'ran'), 'utf8'), 'two\n');
      const next = await connect(t, openings[0], snapgen(folder));
      assert.doesNotMatch(textOf(await next.call('check', { mode: 'test' })), /this runs code/);
    });

    test('an answer that asks for consent is no consent for another server', async (t) => {
      const { folder, call } = await startUnable(t);
      await call('check', { mode: 'test' });
      assert.equal(JSON.parse(execFileSync(join(build, 'snap'), ['trust', '--json', '--workspace', folder, '--remove'], { encoding: 'utf8' })).checks, false);
      const next = await connect(t, openings[0], snapgen(folder));
      assert.match(textOf(await next.call('check', { mode: 'test' })), notice);
      assert.equal(existsSync(join(folder, 'ran')), false);
    });

    test('two calls that are sent together are no consent', async (t) => {
      const { folder, call } = await startUnable(t);
      const both = await Promise.all([call('check', { mode: 'test' }), call('check', { mode: 'test' })]);
      for (const each of both) assert.match(textOf(each), notice);
      assert.equal(existsSync(join(folder, 'ran')), false);
    });

    test('the client asks the user, and a refusal is no consent', async (t) => {
      const { questions, answers } = answering({ action: 'decline' }, { action: 'accept', content: { trust: true } });
      const { folder, call } = await start(t, answers);
      assert.match(textOf(await call('check', { mode: 'test' })), /the user has not agreed to run code of this repository \(`snap trust` does\): `npm run test`/);
      assert.equal(existsSync(join(folder, 'ran')), false);
      await call('check', { mode: 'test' });
      assert.equal(existsSync(join(folder, 'ran')), true);
      await call('check', { mode: 'test' });
      assert.equal(questions.length, 2);
      assert.match(questions[0], /this runs code of this repository, whatever it becomes\. At present: `npm run test`\./);
    });

    const discarding = ['workspace_write_file', { path: '.env', content: 'gone\n', discard: true }];
    const secret = (folder) => {
      writeFileSync(join(folder, '.env'), 'precious\n');
      return () => readFileSync(join(folder, '.env'), 'utf8');
    };

    test('discard fails without a client that asks, and no file changes', async (t) => {
      const { folder, call } = await startUnable(t);
      const now = secret(folder);
      const patch = '--- a/package.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-' + script('one') + '\n\\ No newline at end of file\n';
      for (const [name, args] of [discarding, ['workspace_delete', { path: '.env', discard: true }], ['workspace_apply_patch', { patch, discard: true }]]) {
        const { error } = JSON.parse(textOf(await call(name, args)));
        assert.equal(error.code, 'PERMISSION_DENIED', name);
        assert.match(error.message, /\bOnly the user\b.*"allow_discard": true in ~\/\.config\/snapgen\/config\.json\b/);
      }
      assert.equal(now(), 'precious\n');
      assert.equal(existsSync(join(folder, 'package.json')), true);
      assert.ok((await call(discarding[0], { ...discarding[1], discard: false })).structuredContent.undo, 'without discard the content is kept');
    });

    test('discard asks the user about each call, and names what will be lost', async (t) => {
      const { questions, answers } = answering({ action: 'decline' }, { action: 'accept', content: { discard: true } });
      const { folder, call } = await start(t, answers);
      const now = secret(folder);
      assert.match(textOf(await call(...discarding)), /The user did not agree to lose the content of \.env for good\. Nothing was changed\./);
      assert.equal(now(), 'precious\n');
      const done = await call(...discarding);
      assert.equal(done.structuredContent.undo, undefined);
      assert.equal(now(), 'gone\n');
      assert.deepEqual(questions, Array(2).fill('workspace_write_file is about to lose the content of .env for good. No copy is kept.'));
    });

    test("the user's own settings allow discard", async (t) => {
      const config = mkdtempSync(join(process.env.XDG_CONFIG_HOME, '../config-'));
      mkdirSync(join(config, 'snapgen'));
      writeFileSync(join(config, 'snapgen/config.json'), '{"allow_discard":true}');
      const { folder, call } = await startAsked(t, era, {}, {}, { files, profile: 'full', env: { XDG_CONFIG_HOME: config } });
      const now = secret(folder);
      await call(...discarding);
      assert.equal(now(), 'gone\n');
    });
  });
}

test('another repository in the same folder needs a new consent', async (t) => {
  const folder = repository(t, { 'package.json': script('one') });
  trust(folder);
  const git = (...words) => execFileSync('git', words, { cwd: folder });
  renameSync(join(folder, '.git'), join(folder, 'old'));
  git('init', '--quiet');
  const { call } = await connect(t, openings[0], snapgen(folder));
  assert.match(textOf(await call('check', { mode: 'test' })), notice);
});

test('a person who types snap check has consented', (t) => {
  const folder = repository(t, { 'package.json': script('one') });
  const out = execFileSync(join(build, 'snap'), ['check', 'test', '--workspace', folder], { encoding: 'utf8' });
  assert.doesNotMatch(out, /this runs code/);
  assert.equal(readFileSync(join(folder, 'ran'), 'utf8'), 'one\n');
});

describe('tools of the repository', () => {
  const tool = (annotations) => JSON.stringify({
    $schema: '../meta/tool.json', name: 'fam.look', title: 'Look', description: 'Show what is in the repository. Call this first.', annotations,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    'x-snapgen': { family: 'fam', deadline_ms: 5000, run: { command: ['./p.sh'] }, examples: [{ name: 'x', arguments: {} }] },
  });
  const withTool = (t, body) => {
    const folder = repository(t, {
      '.snapback/config.json': '{"tools":"t"}', 't/fam/fam_look.json': tool({ readOnlyHint: true, destructiveHint: false, openWorldHint: false }),
      't/fam/p.sh': `#!/bin/sh\ncat > /dev/null\n${body}\n`,
    });
    chmodSync(join(folder, 't/fam/p.sh'), 0o755);
    return folder;
  };
  const served = async (t, folder) => {
    const { call, list } = await connect(t, openings[0], snapgen(folder));
    return { call, look: (await list()).find(({ name }) => name === 'fam_look') };
  };

  test('are listed only after the user trusted them, and never as read-only', async (t) => {
    const folder = withTool(t, 'echo hi');
    assert.equal((await served(t, folder)).look, undefined);
    const shown = JSON.parse(execFileSync(join(build, 'snap'), ['trust', '--json', '--yes', '--workspace', folder], { encoding: 'utf8' }));
    assert.deepEqual(shown.tools.tools, [{ command: './p.sh', name: 'fam.look' }]);
    assert.deepEqual(shown.tools.files, ['fam/fam_look.json', 'fam/p.sh']);
    const { call, look } = await served(t, folder);
    assert.deepEqual([look.annotations.readOnlyHint, look.annotations.destructiveHint, look.annotations.openWorldHint], [false, true, true]);
    assert.equal(textOf(await call('fam_look', {})), 'hi');
  });

  test('do not run after one of their files changed', async (t) => {
    const folder = withTool(t, 'echo hi');
    trust(folder);
    const { call } = await served(t, folder);
    writeFileSync(join(folder, 't/fam/helper.sh'), 'touch ran\n');
    const changed = await call('fam_look', {});
    assert.equal(changed.isError, true);
    assert.match(textOf(changed), /are not trusted as they are now\. The user can inspect and trust them with `snap trust`/);
    const { call: write } = await served(t, folder);
    assert.match(textOf(await write('workspace_write_file', { path: 't/fam/p.sh', content: 'x' })), /may not be changed by a tool/);
  });
});
