// The wire tools through the official SDKs: whole tasks, every kind of line, errors, and tokens.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { onceOf, openings } from './sdks.mjs';
import { repository, tick } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';
import { wireOf, wireTools } from './wire.mjs';

const files = { 'src/auth.ts': 'export const a = 1;\n', 'src/main.ts': 'one\ntwo\nthree\n', 'README.md': '# Notes\n', '.gitignore': '*.log\n' };

for (const opening of openings) {
  describe(`wire tools, ${opening.name}`, () => {
    const once = onceOf(opening);
    const server = sharedServer(opening, { args: ['--profile', 'wire'] });
    const start = async (t) => {
      const folder = server.repository(t, files);
      return wireOf(await server.connection(folder), folder);
    };

    test('a task runs from start to end', async (t) => {
      const { folder, git, ask, fail } = await start(t);
      const clean = git('status', '--porcelain');
      assert.equal(await fail('snap_end', {}), 'NO_TASK');
      const begun = await ask('snap', { mode: 'start', task: 'fix auth bug', files: ['src/auth.ts'], keywords: ['jwt'] });
      assert.equal(begun.code, 'S');
      assert.match(begun.of.id, /^task_[a-z2-7]{8}$/);
      assert.match(begun.of.snap, /^snap_[0-9a-f]{10}$/);
      assert.deepEqual(begun.fields.slice(2), ['risk:M', 'prot:100', 'dirty:0', 'status:created']);
      assert.match(begun.summary, /src\/auth\.ts: authentication/);

      appendFileSync(join(folder, 'src/main.ts'), 'four\nfive\n');
      writeFileSync(join(folder, 'new.ts'), 'try { x(); } catch (e) {}\n');
      const now = await ask('snap', { mode: 'context' });
      assert.deepEqual(now.fields, ['risk:M', 'prot:33', 'dirty:2']);
      assert.match(now.summary, /fix auth bug/);

      const passed = await ask('snap', { mode: 'check' });
      assert.deepEqual(passed.fields, ['status:✓', 'err:0E', 'warn:0W', 'ts:⏭️', 'lint:⏭️', 'tests:⏭️']);

      const ended = await ask('snap_end', {
        taskId: begun.of.id, outcome: 'completed', learnings: ['check the audience of a jwt', 'two | pipes'],
        survey: { patterns_used: 2, pitfalls_avoided: 1, helpfulness: 5, unhelpful_count: 0 },
      });
      assert.deepEqual(ended.fields.slice(0, 5), ['status:OK', 'learn:2L', 'files:2F', 'lines:+3-0', 'summary:fix→auth→bug→completed']);
      assert.deepEqual(JSON.parse(ended.fields[5]), { helpfulness: 5, patterns_used: 2, pitfalls_avoided: 1, unhelpful_count: 0 });
      assert.match(ended.summary, /2 learnings recorded\. 2 files changed \(\+3\/-0 lines\).*5\/5/);
      assert.equal(await fail('snap_end', { taskId: begun.of.id }), 'NO_TASK');

      const again = await ask('snap', { mode: 'start', task: 'rotate jwt keys', files: ['src/auth.ts'], keywords: ['jwt'] });
      assert.equal(again.of.learn, '2L');
      assert.match(again.summary, /\n- fix auth bug: check the audience of a jwt$/m);
      assert.match(again.summary, /\n- fix auth bug: two \| pipes$/m);
      rmSync(join(folder, 'new.ts'));
      git('checkout', '-q', '.');
      assert.equal(git('status', '--porcelain'), clean);
    });

    once('tasks survive a restart, after which only a single open task is the default', async (t) => {
      const folder = repository(t, files);
      const one = await wireTools(t, opening, folder);
      const first = await one.ask('snap', { mode: 'start', task: 'first' });
      const second = await one.ask('snap', { mode: 'start', task: 'second' });
      assert.equal(second.of.status, 'reused');
      assert.equal(second.of.snap, first.of.snap);
      const two = await wireTools(t, opening, folder);
      assert.match((await one.ask('snap', { mode: 'context' })).summary, /second.*1 more open/);
      assert.match((await two.ask('snap', { mode: 'context' })).summary, /none of the open tasks .*second.*first/);
      assert.equal(await two.fail('snap_end', {}), 'NO_TASK');
      assert.equal((await two.ask('snap_end', { outcome: 'abandoned', taskId: second.of.id })).of.summary, 'second→abandoned');
      assert.equal((await two.ask('snap_end', { outcome: 'blocked' })).of.summary, 'first→blocked');
      assert.equal(await two.fail('snap_end', {}), 'NO_TASK');
    });

    once('a missing file is named and has no risk, and an uncaptured copy of a captured file is unprotected', async (t) => {
      const { folder, ask } = await start(t);
      const begun = await ask('snap', { mode: 'start', task: 'log in', files: ['src/oauth.ts'] });
      assert.deepEqual([begun.of.risk, begun.of.prot], ['L', '100']);
      assert.match(begun.summary, /src\/oauth\.ts does not exist, and has no risk\./);
      writeFileSync(join(folder, 'src/one.ts'), 'same\n');
      await ask('snap', { mode: 'start', task: 'copy' });
      writeFileSync(join(folder, 'src/two.ts'), 'same\n');
      const now = await ask('snap', { mode: 'context' });
      assert.deepEqual([now.of.prot, now.of.dirty], ['50', '2']);
    });

    test('a restore can be previewed and undone', async (t) => {
      const { folder, ask, fail } = await start(t);
      const { of: { snap } } = await ask('snap', { mode: 'start', task: 'break things' });
      writeFileSync(join(folder, 'README.md'), 'broken\n');
      rmSync(join(folder, 'src/main.ts'));
      const diff = await ask('snap_fix', { action: 'diff', id: snap });
      assert.equal(diff.code, 'D');
      assert.deepEqual(diff.fields, [`from:${snap}`, 'to:worktree', 'added:+0', 'removed:-1', 'changed:~1']);
      const preview = await ask('snap_fix', { action: 'restore', id: snap, dryRun: true });
      assert.deepEqual(preview.fields, ['status:OK', 'files:2', 'README.md', 'src/main.ts']);
      assert.match(preview.summary, /^Would restore 2 files/);
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'broken\n');
      const restored = await ask('snap_fix', { action: 'restore', id: snap });
      assert.match(restored.summary, /^Restored 2 files .*\brestore (snap_[0-9a-f]{10})\./);
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), files['README.md']);
      assert.ok(existsSync(join(folder, 'src/main.ts')));
      const [, safety] = /restore (snap_[0-9a-f]{10})\./.exec(restored.summary);
      await ask('snap_fix', { action: 'restore', id: safety });
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'broken\n');
      const list = await ask('snap_fix', {});
      assert.equal(list.code, 'R');
      assert.ok(list.fields.slice(1).every((one) => /^snap_[0-9a-f]{10}:\w+:\d+f$/.test(one)), String(list.fields));
      assert.ok(list.fields.slice(1).some((one) => one.startsWith(`${snap}:`)));
      const both = await ask('snap_fix', { action: 'diff', id: snap, diffWith: safety });
      assert.equal(both.of.to, safety);
      // A restored file is recorded as a risk.
      assert.match((await ask('snap', { mode: 'start', task: 'again', files: ['README.md'] })).summary, /README\.md: restored/);
      assert.equal(await fail('snap_fix', { action: 'restore', id: 'snap_0000000000' }), 'SNAPSHOT_NOT_FOUND');
      assert.equal(await fail('snap_fix', { action: 'restore', id: 'rubbish' }), 'SNAPSHOT_NOT_FOUND');
      assert.equal(await fail('snap_fix', { action: 'restore' }), 'VALIDATION_FAILED');
    });

    once('the list of snapshots has pages, and a diff counts the files that it does not name', async (t) => {
      const { folder, ask, refused, raw } = await start(t);
      const { of: { snap } } = await ask('snap', { mode: 'start', task: 'begin' });
      for (let i = 0; i < 10; ++i) {
        writeFileSync(join(folder, 'new.txt'), `${i}\n`);
        await ask('snap', { mode: 'start', task: `state ${i}` });
      }
      const ids = (fields) => fields.filter((one) => one.startsWith('snap_')).map((one) => one.split(':')[0]);
      const first = await ask('snap_fix', {});
      assert.deepEqual([first.of.count, ids(first.fields).length], ['11', 8]);
      const [, cursor] = / 8 are shown, older undo snapshots last\. 3 more: cursor (snap_[0-9a-f]{10})\./.exec(first.summary);
      const second = await ask('snap_fix', { cursor });
      assert.deepEqual([second.of.count, ids(second.fields).length], ['11', 3]);
      assert.doesNotMatch(second.summary, /more/);
      const { content: [{ text }] } = await raw('snap_fix', { limit: 100 });
      assert.deepEqual(ids(text.split('\n---\n')[0].split('|')), [...ids(first.fields), ...ids(second.fields)]);
      assert.match((await refused('snap_fix', { cursor: 'snap_0000000000' })).summary, /Unknown cursor\. Omit it to start from the beginning\./);

      for (let i = 0; i < 30; ++i) writeFileSync(join(folder, `added-${i}.txt`), 'a\n');
      const { of, summary } = await ask('snap_fix', { action: 'diff', id: snap });
      const named = summary.match(/\+(?:added-\d+|new)\.txt/g).length;
      assert.equal(of.added, '+31');
      assert.match(summary, new RegExp(` and ${31 - named} more \\(limit 31 names all\\)$`));
      const { content: [{ text: all }] } = await raw('snap_fix', { action: 'diff', id: snap, limit: 31 });
      assert.equal(all.match(/\+(?:added-\d+|new)\.txt/g).length, 31);
    });

    once('the preview of a restore names as many files as the call requests', async (t) => {
      const { folder, ask, raw } = await start(t);
      const names = Array.from({ length: 30 }, (_, i) => `src/package/module_number_${i}.ts`);
      mkdirSync(join(folder, 'src/package'));
      for (const name of names) writeFileSync(join(folder, name), 'one\n');
      const { of: { snap } } = await ask('snap', { mode: 'start', task: 'change modules' });
      for (const name of names) writeFileSync(join(folder, name), 'two\n');
      const preview = { action: 'restore', id: snap, dryRun: true };
      const short = await ask('snap_fix', preview);
      assert.match(short.summary, new RegExp(`The first ${short.fields.length - 2} of these 30 files are named above\\..* limit 30 names all\\.$`));
      const { content: [{ text }] } = await raw('snap_fix', { ...preview, limit: 30 });
      for (const name of names) assert.ok(text.includes(`|${name}`), name);
    });

    once('a restore deletes files created after the snapshot, and its preview names them', async (t) => {
      const { folder, ask } = await start(t);
      const { of: { snap } } = await ask('snap', { mode: 'start', task: 'make things' });
      tick(folder);
      writeFileSync(join(folder, 'README.md'), 'broken\n');
      writeFileSync(join(folder, 'notes.txt'), 'mine\n');
      const preview = await ask('snap_fix', { action: 'restore', id: snap, dryRun: true });
      assert.deepEqual(preview.fields, ['status:OK', 'files:2', '-notes.txt', 'README.md']);
      assert.match(preview.summary, /Would delete 1 file not in the snapshot: notes\.txt\./);
      assert.ok(existsSync(join(folder, 'notes.txt')));
      const restored = await ask('snap_fix', { action: 'restore', id: snap });
      assert.deepEqual(restored.fields, preview.fields);
      assert.match(restored.summary, /Deleted 1 file not in the snapshot: notes\.txt\. To go back, restore/);
      assert.ok(!existsSync(join(folder, 'notes.txt')));
      const [, safety] = /restore (snap_[0-9a-f]{10})\./.exec(restored.summary);
      const undone = await ask('snap_fix', { action: 'restore', id: safety });
      assert.deepEqual(undone.fields, ['status:OK', 'files:2', 'README.md', 'notes.txt']);
      assert.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'mine\n');
      // A file whose name begins with the deletion mark is not listed as deleted.
      writeFileSync(join(folder, '-dash'), 'one\n');
      const { of: { snap: later } } = await ask('snap', { mode: 'start', task: 'more' });
      writeFileSync(join(folder, '-dash'), 'two\n');
      assert.deepEqual((await ask('snap_fix', { action: 'restore', id: later, dryRun: true })).fields, ['status:OK', 'files:1', './-dash']);
    });

    once('a repeated violation becomes a pattern that the check finds', async (t) => {
      const { folder, ask, git } = await start(t);
      const report = { type: 'silent_catch', file: 'src/auth.ts', description: 'swallowed', prevention: 'log in catch blocks' };
      const seen = [];
      for (let i = 0; i < 5; ++i) seen.push((await ask('snap_violation', report)).fields.slice(2).join());
      assert.deepEqual(seen, ['count:1,promote:NO,auto:NO', 'count:2,promote:NO,auto:NO', 'count:3,promote:PROMOTED,auto:NO',
        'count:4,promote:PATTERN,auto:NO', 'count:5,promote:PATTERN,auto:YES']);
      const begun = await ask('snap', { mode: 'start', task: 'anything' });
      assert.match(begun.summary, /\n- avoid silent_catch: log in catch blocks$/);
      writeFileSync(join(folder, 'new.ts'), 'try { x(); } catch (e) {}\n');
      const found = await ask('snap', { mode: 'check' });
      assert.deepEqual(found.fields.slice(0, 2), ['status:✗', 'err:1E']);
      assert.equal(found.of.issues, 'new.ts:1→silent_catch');
      assert.match(found.summary, /new\.ts:1: silent_catch \(recorded: log in catch blocks\)\./);
      rmSync(join(folder, 'new.ts'));
      assert.equal(git('status', '--porcelain'), '');
    });

    once('a promoted pattern that no check can detect is a reminder, and is not reported as checked', async (t) => {
      const { folder, ask } = await start(t);
      const report = { type: 'use_utc', description: 'a local time was stored', prevention: 'store times in UTC' };
      const seen = [];
      for (let i = 0; i < 5; ++i) seen.push(await ask('snap_violation', report));
      assert.deepEqual(seen.map(({ fields }) => fields.slice(2).join()), ['count:1,promote:NO,auto:NO', 'count:2,promote:NO,auto:NO',
        'count:3,promote:PROMOTED,auto:NO', 'count:4,promote:PATTERN,auto:NO', 'count:5,promote:PATTERN,auto:NO']);
      assert.match(seen[0].summary, /promoted to a reminder at 3\.$/);
      assert.match(seen[2].summary, /\bPromoted to a reminder\b.*\bno check can detect it\b/);
      assert.match(seen[4].summary, /\bis a reminder\b.*\bno check can detect it\b/);
      const begun = await ask('snap', { mode: 'start', task: 'anything' });
      assert.equal(begun.of.learn, '1L');
      assert.match(begun.summary, /\n- reminder, not checked: use_utc: store times in UTC$/);
      writeFileSync(join(folder, 'new.ts'), 'export const now = new Date();\n');
      const patterns = await ask('check', { mode: 'patterns' });
      assert.deepEqual([patterns.of.status, patterns.of.lint], ['⏭️', '⏭️']);
      assert.match(patterns.summary, /had nothing to do\. .*1 reminder, not checked: use_utc: store times in UTC\.$/);
      for (const found of [await ask('check', { mode: 'quick' }), await ask('check', { mode: 'all' }), await ask('snap', { mode: 'check' })])
        assert.match(found.summary, /1 reminder, not checked: use_utc: store times in UTC\./);
    });

    once('a line with long learnings still has space for a promoted pattern', async (t) => {
      const { ask } = await start(t);
      const report = { type: 'silent_catch', description: 'swallowed', prevention: 'log in catch blocks and then throw the error again' };
      for (let i = 0; i < 3; ++i) await ask('snap_violation', report);
      for (const part of ['first', 'second', 'third'])
        await ask('snap_learn', { trigger: `the login form of the ${part} page`, action: `validate the fields on the server in the ${part} handler`, type: 'pitfall' });
      const { of, summary } = await ask('snap', { mode: 'start', task: 'login form' });
      const lines = summary.split('\n- ');
      assert.equal(of.learn, `${lines.length - 1}L`);
      assert.match(lines[1], /^the login form of the first page: validate the fields on the server in the first handler$/);
      assert.match(lines[2], /^validate the fields on the server in the (second|third) handler$/, 'the action alone, because the trigger does not fit beside it');
      assert.match(lines.at(-1), /^avoid silent_catch: log in catch/);
    });

    once('a learning is recalled by its words and its file, not by folders and extensions', async (t) => {
      const { ask } = await start(t);
      await ask('snap_learn', { trigger: 'dates in src/lib/dates.ts', action: 'use the helper', type: 'pattern' });
      const learned = async (args) => (await ask('snap', { mode: 'start', ...args })).summary;
      assert.doesNotMatch(await learned({ task: 'paint it', files: ['src/lib/colours.ts'] }), /helper/);
      assert.match(await learned({ task: 'paint it', files: ['src/lib/dates.ts'] }), /: use the helper$/);
      assert.match(await learned({ task: 'parse a date' }), /: use the helper$/);
    });

    once('learnings, help and compact lines have their documented form', async (t) => {
      const { ask, raw } = await start(t);
      const learned = await ask('snap_learn', { trigger: 'auto-snapshot cooldown', action: 'set it AFTER success', type: 'pitfall' });
      assert.deepEqual([learned.code, learned.of.status, learned.of.type], ['L', 'OK', 'pitfall']);
      assert.match(learned.of.id, /^learn_[a-z2-7]{8}$/);
      const repeated = await ask('snap_learn', { trigger: 'auto-snapshot cooldown', action: 'set it AFTER success', type: 'pitfall' });
      assert.equal(repeated.of.id, learned.of.id);
      assert.match(repeated.summary, /^Learning recorded again: /);
      const secret = await ask('snap_learn', { trigger: 'the database', action: 'use password=hunter2secret', type: 'pitfall' });
      assert.match(secret.summary, /password=\[redacted\]\. A likely secret in it was replaced/);
      const elsewhere = await ask('snap_violation', { type: 'x', description: 'y', file: 'src/nowhere.ts' });
      assert.match(elsewhere.summary, /src\/nowhere\.ts does not exist; correct the path if it was mistyped\.$/);
      const compact = await ask('snap', { mode: 'start', task: 'cooldown', compact: true });
      assert.equal(compact.fields.length, 7);
      assert.equal(compact.fields[6], '1L');
      assert.match(compact.summary, /\n- auto-snapshot cooldown: set it AFTER success$/);
      assert.equal((await ask('snap', { mode: 'context', compact: true })).fields.length, 4);
      for (const topic of ['wire', 'modes', 'thresholds', 'tools', 'all']) {
        const { text } = (await raw('snap_help', { topic })).content[0];
        assert.match(text, /^# /);
      }
      assert.match((await raw('snap_help', { topic: 'wire' })).content[0].text, /S = Start task/);
    });

    test('invalid input returns a line that says what to do', async (t) => {
      const { fail, raw } = await start(t);
      assert.equal(await fail('snap', { mode: 'begin' }), 'INVALID_MODE');
      assert.equal(await fail('snap', { mode: 'start' }), 'VALIDATION_FAILED');
      for (const task of ['', ' \t\n']) assert.equal(await fail('snap', { mode: 'start', task }), 'VALIDATION_FAILED', JSON.stringify(task));
      assert.equal(await fail('snap', { mode: 'start', task: 'x', files: ['../../etc/passwd'] }), 'VALIDATION_FAILED');
      assert.equal(await fail('snap', { mode: 'start', task: 'x', fils: [] }), 'VALIDATION_FAILED');
      assert.equal(await fail('snap_fix', { action: 'undo' }), 'INVALID_MODE');
      assert.equal(await fail('snap_help', { topic: 'weather' }), 'INVALID_MODE');
      assert.equal(await fail('check', { mode: 'quick', files: ['src/mian.ts'] }), 'VALIDATION_FAILED');
      assert.equal(await fail('check', { mode: 'quick', files: ['src/mian.ts'], taskId: 'task_aaaaaaaa' }), 'NO_TASK');
      assert.equal(await fail('snap', { mode: 'check', files: ['nosuch'] }), 'VALIDATION_FAILED');
      const said = async (...args) => (await raw(...args)).content[0].text;
      assert.match(await said('check', { mode: 'quick', files: ['src/mian.ts'] }), /src\/mian\.ts; did you mean src\/main\.ts\?/);
      assert.match(await said('snap', { mode: 'start', task: '' }), /at \/task expected /);
      assert.match(await said('snap', { mode: 'start', task: ' \n' }), /Error: task must not be blank\b/);
      assert.match(await said('snap_help', { topic: 'weather' }), /found "weather"\. Correct the arguments/);
      assert.match(await said('snap', { mode: 'begin' }), /found "begin"\..*\bsnap_help with topic modes\b/);
      assert.match(await said('snap_end', {}), /^🧢\|!\|code:NO_TASK\|reason:no→such→open→task\n---\nError: .*\bsnap, mode start\b/);
      assert.match(await said('snap_fix', { action: 'restore', id: 'snap_0000000000' }),
        /^🧢\|!\|code:SNAPSHOT_NOT_FOUND\|reason:unknown→snapshot\n---\nError: .*"snap_0000000000".*\bsnap_fix with action list\b/);
      assert.equal(await fail('snap_end', { taskId: '../../x' }), 'NO_TASK');
      assert.equal(await fail('snap_learn', { trigger: '', action: 'x', type: 'pattern' }), 'VALIDATION_FAILED');
      assert.equal(await fail('snap_learn', { trigger: 'x', action: 'x', type: 'hunch' }), 'VALIDATION_FAILED');
      assert.equal(await fail('snap_violation', { type: 'x', description: 'y', file: '/etc/passwd' }), 'VALIDATION_FAILED');
      assert.equal(await fail('snap_violation', { type: 'x', description: 'y', taskId: 'task_aaaaaaaa' }), 'NO_TASK');
    });
  });
}
