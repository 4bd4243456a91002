// The facade tools through the official SDKs: whole tasks, every operation, every example of the schema files, rejected
// calls, and questions to the client.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { facadeOf, facadeTools, logged } from './facade.mjs';
import { onceOf, openings } from './sdks.mjs';
import { repository } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const files = {
  'src/auth.ts': 'export const a = 1;\n',
  'src/main.ts': 'one\ntwo\nthree\n',
  'README.md': '# Notes\n',
  'package.json': JSON.stringify({
    name: 'toy', dependencies: { express: '^4.18.0', expresss: '1.0.0', 'left-pad': '*', thing: 'git+https://example.org/thing.git' },
  }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { name: 'toy' },
      'node_modules/express': { version: '4.18.2', resolved: 'https://registry.npmjs.org/express/-/express-4.18.2.tgz', integrity: 'sha512-x' },
      'node_modules/expresss': { version: '2.0.0', resolved: 'https://evil.example/e.tgz', hasInstallScript: true },
    },
  }),
};

const family = join(import.meta.dirname, '../../schemas/facade');
const sources = readdirSync(family)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(family, name), 'utf8')))
  .filter((source) => source['x-snapgen']?.family);

for (const opening of openings.filter(({ http }) => !http)) {
  describe(`facade tools, ${opening.name}`, () => {
    const once = onceOf(opening);
    const server = sharedServer(opening, { args: ['--profile', 'facade'], env: { ...process.env, SNAPBACK_TIER: 'pro' } });
    const start = async (t, more = {}) => {
      const folder = server.repository(t, { ...files, ...more });
      return facadeOf(await server.connection(folder), folder);
    };
    // Starts a separate server, for a test of its options or of its limits.
    const startSeparate = (t, options, folder = repository(t, files)) => facadeTools(t, opening, folder, options);

    test('a task runs from start to end', async (t) => {
      const { folder, git, answer, ask, fail, tools } = await start(t);
      assert.equal(tools.length, 11);
      const clean = git('status', '--porcelain');
      const prepared = await answer('prepare_workspace', { files: ['src/auth.ts'], taskDescription: 'fix auth' });
      assert.deepEqual([prepared.data.protectionScore, prepared.data.protectionIndicator], [100, '🟢'], 'git can restore committed files');
      assert.equal(prepared.data.snapshotAdvice.recommended, false);
      assert.deepEqual(prepared.data.snapshotAdvice.suggestedFiles, []);
      assert.equal(prepared.data.missingFiles, undefined);
      assert.equal(prepared.data.vitals.temperature, 'warm');
      assert.equal(prepared.data.vitals.pulse, 'resting');
      assert.equal(prepared.next_actions[0].tool, 'snapback_session');
      assert.equal((await fail('session', { op: 'end' })).code, 'NOT_FOUND');

      const begun = await answer('session', { op: 'start', task: 'fix auth bug', files: ['src/auth.ts'], keywords: ['jwt'] });
      assert.match(begun.data.task_id, /^task_[a-z2-7]{8}$/);
      assert.equal(begun.data.reused, false);
      assert.equal(begun.session.task_id, begun.data.task_id);
      assert.equal(begun.session.protection, 100);
      assert.equal(begun.session.risk_level, 'medium');

      appendFileSync(join(folder, 'src/main.ts'), 'four\nfive\n');
      const stats = await answer('session', { op: 'stats' });
      assert.deepEqual([stats.data.changed_files, stats.data.added_lines, stats.data.removed_lines], [1, 2, 0]);
      assert.deepEqual([stats.session.dirty, stats.session.protection], [1, 50]);
      assert.equal((await ask('session', { op: 'recommendations' })).task_id, begun.data.task_id);
      assert.equal((await ask('validate', { mode: 'quick' })).passed, true);

      const ended = await ask('session', { op: 'end', learnings: ['check the audience of a jwt'] });
      assert.deepEqual([ended.learned, ended.changed_files, ended.outcome, ended.open_tasks], [1, 1, 'completed', 0]);
      const again = await ask('session', { op: 'start', task: 'rotate jwt keys', keywords: ['jwt'] });
      assert.equal(again.learnings[0].action, 'check the audience of a jwt');
      const learned = async (taskDescription) => (await ask('prepare_workspace', { taskDescription })).guidance;
      assert.match(await learned('rotate jwt keys'), / Earlier learning: .*check the audience of a jwt\.$/);
      git('checkout', '-q', '.');
      assert.equal(git('status', '--porcelain'), clean);
      await ask('session', { op: 'end' });
      await ask('learn', { trigger: 'kestrel', action: `run ${'x'.repeat(300)}` });
      assert.match(await learned('kestrel'), / Earlier learning \(whole text: snapback_session, op start\): kestrel: run x+…\.$/);
    });

    once('a pattern that no check can detect is listed as a reminder that is not checked', async (t) => {
      const violation = { type: 'use_utc', description: 'a local time was stored', prevention: 'store times in UTC' };
      const { ask, answer } = await start(t, { '.snapback/learnings/violations.jsonl': `${JSON.stringify(violation)}\n`.repeat(3) });
      const reminder = '1 reminder, not checked: use_utc: store times in UTC.';
      const begun = await answer('session', { op: 'start', task: 'anything' });
      assert.deepEqual(begun.data.patterns, [{ count: 3, prevention: 'store times in UTC', type: 'use_utc' }]);
      assert.ok(begun.summary.endsWith(reminder), begun.summary);
      assert.ok((await ask('validate', { mode: 'quick' })).notes.includes(reminder));
    });

    test('snapshots are created, listed and restored, and a restore can be undone', async (t) => {
      const { folder, answer, ask, fail } = await start(t);
      const taken = await ask('snapshot_create', { reason: 'before' });
      assert.equal(taken.reused, false);
      assert.equal(taken.files, 5);
      assert.equal((await ask('snapshot_create', {})).reused, true);
      assert.match((await answer('snapshot_create', { reason: 'another' })).summary, /\bnew reason was not stored\b/);
      assert.doesNotMatch((await answer('snapshot_create', { reason: 'before' })).summary, /not stored/);
      assert.match((await answer('snapshot_list', { contains: 'zzz' })).next_actions[0].reason, /^No snapshot has that reason/);
      const { code, message } = await fail('meta', { family: 'facad' });
      assert.deepEqual([code, /did you mean "facade"\?/.test(message)], ['INVALID_ARGUMENT', true], message);
      writeFileSync(join(folder, 'README.md'), 'broken\n');
      rmSync(join(folder, 'src/main.ts'));
      const dry = await answer('snapshot_restore', { snapshot_id: taken.alias, dry_run: true });
      assert.deepEqual(dry.data.changes, [{ kind: 'replaced', path: 'README.md' }, { kind: 'created', path: 'src/main.ts' }]);
      assert.equal(dry.data.safety_snapshot_id, undefined);
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'broken\n');
      const { tool, args } = dry.next_actions[0];
      assert.equal(tool, 'snapback_snapshot_restore');
      const done = await ask('snapshot_restore', args);
      assert.equal(done.total, 2);
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), files['README.md']);
      await ask('snapshot_restore', { snapshot_id: done.safety_snapshot_id });
      assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'broken\n');
      assert.ok(!existsSync(join(folder, 'src/main.ts')));
      const list = await ask('snapshot_list', { contains: 'before', limit: 1 });
      assert.equal(list.snapshots.length, 1);
      assert.ok(list.total > 1);
      assert.equal((await fail('snapshot_restore', { snapshot_id: 'snap_0000000000' })).code, 'NOT_FOUND');
      assert.equal((await fail('snapshot_restore', { snapshot_id: taken.alias, files: ['../x'] })).code, 'INVALID_ARGUMENT');
      const audit = await logged(folder, 'audit', (lines) => lines.length > 1);
      assert.deepEqual(audit.map((one) => one.event), ['restore', 'restore']);
    });

    test('every example of every schema file succeeds', async (t) => {
      const { folder, answer, fail } = await start(t);
      mkdirSync(join(folder, '.snapback/ctx'), { recursive: true });
      writeFileSync(join(folder, '.snapback/ctx/context.json'), JSON.stringify({
        version: 1, name: 'toy', phase: 'beta', constraints: { bundle: { size: { max: 250, unit: 'kB' } } }, blockers: [{ description: 'no release key' }],
      }));
      const { data: { alias } } = await answer('snapshot_create', {});
      assert.equal(sources.length, 11);
      for (const source of sources) {
        const name = source.name.replace('snapback.', '');
        for (const { arguments: args } of source['x-snapgen'].examples) {
          const real = { ...args, ...(args.snapshot_id && { snapshot_id: alias }) };
          if (real.files?.[0] === 'src/main.rs') real.files = ['src/main.ts'];
          await answer(name, real);
        }
        assert.equal((await fail(name, { nonsense: 1 })).code, 'INVALID_ARGUMENT');
      }
    });

    once('context creates, builds, validates and checks the project context', async (t) => {
      const { folder, ask, fail, answer } = await start(t);
      assert.equal((await fail('context', { op: 'build' })).code, 'NOT_FOUND');
      assert.equal((await ask('context', { op: 'validate' })).valid, false);
      assert.equal((await ask('context', { op: 'init' })).created, true);
      assert.equal((await ask('context', { op: 'init' })).created, false);
      const unbuilt = await answer('context', { op: 'status' });
      assert.match(unbuilt.data.reason, /\.ctx does not exist/);
      assert.equal(unbuilt.next_actions[0].reason, unbuilt.data.reason);
      const path = join(folder, '.snapback/ctx/context.json');
      const context = JSON.parse(readFileSync(path, 'utf8'));
      assert.deepEqual([context.name, context.stack], ['toy', ['Node.js']]);
      assert.match((await ask('context', { op: 'build' })).context, /^# context [0-9a-f]{64}\nproject: toy\n/);
      assert.equal((await answer('context', { op: 'validate' })).session.context_valid, true);
      writeFileSync(path, JSON.stringify({ ...context, constraints: { bundle: { size: { max: 250, unit: 'kB' } } }, blockers: [{ description: 'no key', severity: 'high' }] }));
      const stale = await answer('context', { op: 'status' });
      assert.deepEqual([stale.data.valid, stale.session.context_valid, stale.data.constraints], [false, false, ['bundle.size']]);
      assert.deepEqual(stale.next_actions[0].args, { op: 'build' });
      assert.deepEqual((await ask('context', { op: 'constraint', domain: 'bundle', name: 'size' })).constraint, { max: 250, unit: 'kB' });
      assert.equal((await ask('context', { op: 'check', domain: 'bundle', name: 'size', value: 250 })).passed, true);
      const over = await ask('context', { op: 'check', domain: 'bundle', name: 'size', value: 250.5 });
      assert.deepEqual([over.passed, over.reason], [false, '250.5 is above 250 kB.']);
      assert.match((await fail('context', { op: 'check', domain: 'bundle', name: 'weight', value: 1 })).hint, /bundle\.size/);
      assert.equal((await fail('context', { op: 'check', domain: 'bundle' })).code, 'INVALID_ARGUMENT');
      writeFileSync(join(folder, 'src/main.ts'), '<<<<<<< HEAD\n=======\n>>>>>>> x\n');
      const { blockers } = await ask('context', { op: 'blockers' });
      assert.deepEqual([blockers[0].description, blockers[1].id], ['no key', 'merge_conflict']);
      writeFileSync(path, '{"version":1,"phaze":"x"}');
      assert.match((await fail('context', { op: 'status' })).message, /context\.json:1:22: .*phaze.*phase/);
      assert.equal((await fail('context', { op: 'status', workspaceRoot: '/etc' })).code, 'PERMISSION_DENIED');
      assert.equal((await ask('context', { op: 'init', workspaceRoot: folder, force: true })).old_path, '.snapback/ctx/context.old.json');
      assert.equal(readFileSync(join(folder, '.snapback/ctx/context.old.json'), 'utf8'), '{"version":1,"phaze":"x"}');
    });

    once('an invalid context file is reported with line and column, and not overwritten if it cannot be parsed', async (t) => {
      const { folder, ask, answer, fail } = await start(t);
      await ask('context', { op: 'init' });
      await ask('context', { op: 'build' });
      const path = join(folder, '.snapback/ctx/context.json');
      const broken = '{\n  "version": 1,\n  "name": "toy" "phase"\n}\n';
      writeFileSync(path, broken);
      const place = /^\.snapback\/ctx\/context\.json:3:17: not JSON: .*\.$/;
      const validated = await answer('context', { op: 'validate' });
      assert.equal(validated.data.valid, false);
      assert.match(validated.data.reason, place);
      assert.match(validated.summary, place);
      assert.equal(validated.session.context_valid, false);
      const { message, hint } = await fail('context', { op: 'status' });
      assert.match(message, place);
      assert.match(hint, /init does not overwrite/);
      const prepared = await answer('prepare_workspace', {});
      assert.equal(prepared.data.contextStatus.valid, false);
      assert.match(prepared.data.guidance, / \.snapback\/ctx\/context\.json:3:17: not JSON: /);
      for (const { next_actions: actions } of [validated, prepared])
        assert.deepEqual(actions.filter((one) => one.tool === 'snapback_context').map((one) => one.args.op), ['validate']);
      for (const force of [false, true]) assert.match((await fail('context', { op: 'init', force })).message, place);
      assert.equal(readFileSync(path, 'utf8'), broken);
      assert.ok(!existsSync(join(folder, '.snapback/ctx/context.old.json')));
      writeFileSync(path, Buffer.from('{"version":1,\n"name":"\u00e9\xff"}'.replace('\u00e9', '\u00c3\u00a9'), 'latin1'));
      assert.match((await ask('context', { op: 'validate' })).reason, /context\.json:2:10: not valid UTF-8\.$/);
    });

    once('the format of constraints is in the description and in errors', async (t) => {
      const { folder, ask, fail, tools } = await start(t);
      const example = '"constraints": {"bundle": {"size": {"max": 250';
      assert.ok(tools.find((tool) => tool.name.endsWith('context')).description.includes(example));
      await ask('context', { op: 'init' });
      assert.ok((await fail('context', { op: 'constraint', domain: 'bundle', name: 'size' })).hint.includes(example));
      const path = join(folder, '.snapback/ctx/context.json');
      const wrong = '{"version":1,\n "constraints": {"bundle": {"size": 250}}}';
      writeFileSync(path, wrong);
      const { message } = await fail('context', { op: 'check', domain: 'bundle', name: 'size', value: 1 });
      assert.match(message, /context\.json:2:37: \/constraints\/bundle\/size: /);
      assert.ok(message.includes(example), message);
      assert.equal((await fail('context', { op: 'init' })).code, 'INVALID_ARGUMENT');
      assert.equal(readFileSync(path, 'utf8'), wrong);
      assert.equal((await ask('context', { op: 'init', force: true })).old_path, '.snapback/ctx/context.old.json');
    });

    once('context init with force backs up each edited context file', async (t) => {
      const { folder, ask } = await start(t);
      const begin = () => ask('context', { op: 'init', force: true });
      const at = (name) => join(folder, '.snapback/ctx', name);
      const kept = () => readdirSync(at('')).filter((name) => name.startsWith('context')).sort();
      assert.equal((await begin()).old_path, undefined);
      const begun = readFileSync(at('context.json'), 'utf8');
      writeFileSync(at('context.json'), '{"version":1,"notes":["first"]}');
      assert.equal((await begin()).old_path, '.snapback/ctx/context.old.json');
      // A retry has no new state to back up.
      const again = await begin();
      assert.deepEqual([again.created, again.old_path], [true, undefined]);
      assert.deepEqual(kept(), ['context.json', 'context.old.json']);
      writeFileSync(at('context.json'), '{"version":1,"notes":["second"]}');
      assert.equal((await begin()).old_path, '.snapback/ctx/context.old.2.json');
      assert.deepEqual(kept(), ['context.json', 'context.old.2.json', 'context.old.json']);
      assert.match(readFileSync(at('context.old.json'), 'utf8'), /first/);
      assert.match(readFileSync(at('context.old.2.json'), 'utf8'), /second/);
      assert.equal(readFileSync(at('context.json'), 'utf8'), begun);
    });

    once('code can be validated before it is written', async (t) => {
      const { ask, fail } = await start(t);
      const found = await ask('validate', { code: 'a\n<<<<<<< HEAD\n', file_path: 'src/new.ts' });
      assert.deepEqual([found.passed, found.findings[0].code, found.findings[0].line], [false, 'merge_conflict', 2]);
      assert.equal((await fail('validate', { code: 'x' })).code, 'INVALID_ARGUMENT');
      assert.equal((await fail('validate', { file_path: 'absent.ts' })).code, 'NOT_FOUND');
      assert.equal((await ask('validate', { mode: 'comprehensive', file_path: 'src/auth.ts' })).errors, 0);
      for (const mode of ['quick', 'comprehensive']) {
        const broken = await ask('validate', { mode, code: 'int main( {\n', file_path: 'src/new.c' });
        assert.deepEqual([broken.passed, broken.findings.map((one) => [one.path, one.line, one.code])], [false, [['src/new.c', 1, 'syntax']]]);
        assert.deepEqual(broken.checked, [{ files: 1, tool: 'conflict markers' }, { files: 1, tool: 'C brackets and strings' }]);
      }
      for (const [file_path, code] of [['new.py', 'def f(a)\n    return a\n'], ['new.js', 'const a = ;\n'], ['new.sh', 'if true then\nfi\n']]) {
        const broken = await ask('validate', { mode: 'comprehensive', code, file_path });
        assert.deepEqual([broken.passed, broken.findings.map((one) => one.code)], [false, ['syntax']], file_path);
      }
      assert.equal((await ask('validate', { mode: 'comprehensive', code: 'def f(a):\n    return a\n', file_path: 'new.py' })).passed, true);
      // Brackets that match do not show that the syntax is right.
      const unsure = await ask('validate', { mode: 'comprehensive', code: 'int a = ;\n', file_path: 'new.c' });
      assert.deepEqual([unsure.passed, unsure.errors], [false, 0]);
      const { skipped } = await ask('validate', { mode: 'comprehensive', code: 'int a;\n', file_path: 'src/new.c' });
      assert.match(skipped.join(), /programs, import cycles and documents, because the code is not in its file/);
    });

    once('findings and snapshots are listed in pages', async (t) => {
      const { folder, ask, fail } = await start(t);
      const code = '<<<<<<< a\n'.repeat(700);
      const found = [];
      let page = await ask('validate', { code, file_path: 'many.c' });
      assert.deepEqual([page.errors, page.findings.length, page.left_out], [700, 100, 600]);
      found.push(...page.findings);
      while (page.next_cursor) {
        page = await ask('validate', { cursor: page.next_cursor, limit: 250 });
        found.push(...page.findings);
        assert.deepEqual([page.errors, page.left_out, page.passed], [700, 700 - found.length, false]);
      }
      assert.deepEqual(found.map((one) => one.line), Array.from({ length: 500 }, (_, i) => i + 1));
      assert.equal((await fail('validate', { cursor: 'x' })).code, 'INVALID_ARGUMENT');

      for (let i = 0; i < 5; ++i) {
        writeFileSync(join(folder, 'new.txt'), `${i}\n`);
        await ask('snapshot_create', { reason: `state ${i}` });
      }
      const all = (await ask('snapshot_list')).snapshots.map((one) => one.alias);
      const first = await ask('snapshot_list', { limit: 2 });
      const second = await ask('snapshot_list', { limit: 100, cursor: first.next_cursor });
      assert.deepEqual([...first.snapshots, ...second.snapshots].map((one) => one.alias), all);
      assert.deepEqual([first.total, second.total, second.next_cursor], [all.length, all.length, undefined]);
      assert.equal((await fail('snapshot_list', { cursor: 'snap_0000000000' })).code, 'INVALID_ARGUMENT');
    });

    once('a validation that inspected nothing is not reported as passed', async (t) => {
      const { folder, ask, answer, git } = await start(t);
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'all');
      const nothing = await answer('validate', { mode: 'quick' });
      assert.deepEqual([nothing.data.passed, nothing.data.errors, nothing.data.checked], [false, 0, []]);
      // Nothing in this file can be wrong in the eyes of the check of import cycles.
      writeFileSync(join(folder, 'a.c'), 'int main( {\n');
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'a.c');
      const cycles = await answer('validate', { mode: 'comprehensive' });
      assert.deepEqual([cycles.data.passed, cycles.data.errors], [false, 0]);
      assert.match(cycles.summary, /^No error found, but no tool checked the code: /);
      writeFileSync(join(folder, 'package.json'), '{broken');
      writeFileSync(join(folder, 'a.py'), 'def f(:\n');
      for (const mode of ['quick', 'comprehensive']) {
        const found = await ask('validate', { mode });
        assert.equal(found.passed, false, mode);
        assert.deepEqual(found.findings.filter((one) => one.code === 'syntax').map((one) => one.path), ['a.py', 'package.json'], mode);
      }
    });

    once('a validation that skipped a part does not report that everything passed', async (t) => {
      const { folder, answer } = await start(t);
      writeFileSync(join(folder, 'a.py'), 'x = 1\n');
      const { data, summary } = await answer('validate', { mode: 'comprehensive' });
      assert.equal(data.passed, true);
      assert.ok(data.skipped.length > 0);
      assert.match(summary, /^Passed as far as it ran: 0 errors, .* Skipped: .*\.$/);
    });

    once('dependencies are analyzed from local files', async (t) => {
      const { ask, fail } = await start(t);
      const { packages, packages_total: total } = await ask('analyze', { type: 'package' });
      assert.equal(total, 4);
      const codes = (name) => packages.find((one) => one.name === name).findings.map((one) => one.code);
      assert.equal(packages[0].name, 'expresss');
      assert.ok(['version_mismatch', 'foreign_source', 'no_integrity', 'install_script', 'near_miss'].every((code) => codes('expresss').includes(code)));
      assert.deepEqual(codes('left-pad'), ['ambiguous_version', 'not_locked', 'not_installed']);
      assert.ok(codes('thing').includes('foreign_source'));
      const [guess] = (await ask('analyze', { type: 'package', package: 'exprses', version: '1.0.0' })).packages;
      assert.deepEqual(guess.findings.filter((one) => one.severity === 'error').map((one) => one.code), ['near_miss']);
      assert.equal((await fail('analyze', { type: 'package', folder: 'src' })).code, 'NOT_FOUND');
      assert.equal((await fail('analyze', { type: 'package', folder: '../..' })).code, 'INVALID_ARGUMENT');
      const elsewhere = await fail('analyze', { type: 'package', folder: 'src' });
      assert.match(elsewhere.message, /\bno manifest in src\b.*\belsewhere, such as package\.json: pass their folder\b/);
      const banana = await fail('analyze', { type: 'package', package: 'express', version: 'banana' });
      assert.equal(banana.code, 'INVALID_ARGUMENT');
      assert.match(banana.message, /^"banana" is not a version\b.*\bnpm\b/);
      const { packages: [newer] } = await ask('analyze', { type: 'package', package: 'express', version: '5.0.0' });
      assert.deepEqual(newer.findings.filter((one) => one.code === 'version_mismatch').map((one) => one.message),
        ['package.json asks for ^4.18.0, and 5.0.0 is not in that range.', 'Locked is 4.18.2, which is not 5.0.0.']);
      assert.equal((await fail('analyze', { type: 'package', version: '1.0.0' })).code, 'INVALID_ARGUMENT');
    });

    once('packages of PyPI, Cargo and Go are analyzed, even if another manifest is malformed', async (t) => {
      const folder = server.repository(t, {
        'pyproject.toml': '[project]\nname = "toy"\ndependencies = ["Requests>=2.0"]\n',
        'uv.lock': 'version = 1\n[[package]]\nname = "requests"\nversion = "1.9"\nsource = { registry = "https://pypi.org/simple" }\n',
        'Cargo.toml': '[dependencies]\nserde = "1"\n',
        'go.mod': 'module example.org/toy\nrequire golang.org/x/text v0.14.0\n',
        'go.sum': 'golang.org/x/text v0.14.0 h1:aa=\n',
        'package.json': '{"dependencies": {\n  "express": }}',
      });
      const { answer } = await facadeOf(await server.connection(folder), folder);
      const { data, summary } = await answer('analyze', { type: 'package' });
      assert.deepEqual(data.manifests, ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod']);
      assert.deepEqual(data.lock_files, ['uv.lock', 'go.sum']);
      assert.deepEqual(data.packages.map((one) => [one.ecosystem, one.name, one.declared, one.locked, one.findings.map((each) => each.code)]), [
        ['pypi', 'Requests', '>=2.0', '1.9', ['version_mismatch', 'no_integrity']],
        ['cargo', 'serde', '1', undefined, ['not_locked']],
        ['go', 'golang.org/x/text', 'v0.14.0', 'v0.14.0', []],
      ]);
      assert.equal(data.problems.length, 1);
      assert.match(data.problems[0], /^package\.json:2:14: not JSON: /);
      assert.match(summary, /^3 packages checked in what could be read of 4 manifests: 1 error, 2 warnings\..* Not understood: package\.json:2:14: /);
      const unknown = await answer('analyze', { type: 'package', package: 'numpy' });
      assert.deepEqual(unknown.data.packages.map((one) => [one.ecosystem, one.findings.map((each) => each.code)]), [[undefined, ['undeclared']]]);
      assert.match(unknown.data.packages[0].findings[0].message, /\bnot known\b/, 'the manifest that cannot be read may declare it');
    });

    once('protection compares paths and contents, and counts files that git can restore', async (t) => {
      const { folder, ask, answer } = await start(t);
      writeFileSync(join(folder, 'src/auth.ts'), 'same\n');
      writeFileSync(join(folder, 'src/copy.ts'), 'same\n');
      const bare = await answer('prepare_workspace', { files: ['src/auth.ts', 'src/main.ts'] });
      assert.match(bare.data.snapshotAdvice.reason, /^2 of 3 files\b.*\bsrc\/auth\.ts\b/);
      assert.deepEqual([bare.data.protectionIndicator, bare.data.snapshotAdvice.recommended, bare.next_actions[0].tool], ['🔴', true, 'snapback_snapshot_create']);
      await ask('snapshot_create', { files: ['src/auth.ts'] });
      const half = await ask('prepare_workspace', { files: ['src/main.ts'] });
      assert.deepEqual([half.protectionScore, half.snapshotAdvice.suggestedFiles], [66, ['src/copy.ts']]);
      const risk = await ask('analyze', { type: 'risk', files: ['src/auth.ts', 'src/copy.ts'] });
      assert.deepEqual([risk.risk_level, risk.unprotected], ['medium', ['src/copy.ts']]);
      await ask('snapshot_create', {});
      const whole = await ask('prepare_workspace', {});
      assert.deepEqual([whole.protectionScore, whole.snapshotAdvice.recommended], [100, false]);
    });

    once('files that do not exist are named, and have no risk', async (t) => {
      const { folder, answer } = await start(t);
      const risk = (paths) => answer('analyze', { type: 'risk', files: paths });
      const { data, summary } = await risk(['src/oauth.ts']);
      assert.deepEqual([data.risk_level, data.risk_score, data.reasons, data.missing], [undefined, undefined, [], ['src/oauth.ts']]);
      assert.match(summary, /^src\/oauth\.ts does not exist\b/);
      const both = await risk(['src/oauth.ts', 'README.md']);
      assert.deepEqual([both.data.risk_level, both.data.risk_score, both.data.missing], ['low', 0, ['src/oauth.ts']]);
      assert.match(both.summary, /^Low risk\b.*\bsrc\/oauth\.ts does not exist\b.*\b100%/);
      const prepared = await answer('prepare_workspace', { files: ['.env', 'src/oauth.ts'] });
      assert.deepEqual([prepared.data.vitals.temperature, prepared.data.missingFiles], ['cool', ['.env', 'src/oauth.ts']]);
      assert.match(prepared.data.guidance, /2 of the named files do not exist, and have no risk: \.env, src\/oauth\.ts\./);
      assert.match((await answer('session', { op: 'start', task: 'x', files: ['src/oauth.ts'] })).summary, /src\/oauth\.ts does not exist/);
      writeFileSync(join(folder, 'src/main.ts'), "import './auth'\n");
      rmSync(join(folder, 'src/auth.ts'));
      const deleted = await risk(['src/auth.ts']);
      assert.deepEqual([deleted.data.risk_level, deleted.data.missing], ['high', undefined], 'a deleted file that git can restore is not missing');
      assert.ok(deleted.data.reasons.some((one) => one.text === 'src/auth.ts: deleted, and 1 file depended on it'));
    });

    once('a missing tier is an error before the store is opened', async (t) => {
      const { folder, ask, answer, fail } = await startSeparate(t, { tier: 'free' });
      for (const name of ['snapshot_create', 'snapshot_list', 'snapshot_restore']) {
        const error = await fail(name, { snapshot_id: 'snap_0000000000' });
        assert.deepEqual([error.code, error.required_tier], ['TIER_REQUIRED', 'pro']);
        assert.match(error.hint, /"tier": "pro"/);
      }
      assert.ok(!existsSync(join(folder, '.git/snapgen')), 'the store was not opened');
      const { tools, tier } = await ask('meta');
      assert.deepEqual([tier, tools.filter((one) => !one.available).length], ['free', 3]);
      const { next_actions: actions } = await answer('prepare_workspace', { files: ['src/auth.ts'] });
      assert.ok(actions.every((one) => !one.tool.includes('snapshot')), 'no call is proposed that would be rejected');
      const lines = await logged(folder, 'errors', (all) => all.length >= 3);
      assert.ok(lines.every((one) => one.code === 'TIER_REQUIRED'));
    });

    once('calls above the rate limit return retry_after_ms', async (t) => {
      const { fail, call } = await startSeparate(t);
      const rate = sources.find((source) => source.name === 'snapback.snapshot_restore')['x-snapgen'].rate;
      for (let i = 0; i < rate.burst; ++i) await call('snapback_snapshot_restore', { snapshot_id: 'snap_0000000000' });
      const error = await fail('snapshot_restore', { snapshot_id: 'snap_0000000000' });
      assert.equal(error.code, 'RATE_LIMITED');
      assert.ok(error.retry_after_ms > 0 && error.retry_after_ms <= 60_000 / rate.per_minute);
    });

    once('package calls have a separate rate limit, so they never block risk calls', async (t) => {
      const { ask, call, fail } = await startSeparate(t);
      const { rate } = sources.find((source) => source.name === 'snapback.analyze')['x-snapgen'];
      assert.equal(rate.by, 'type');
      const calls = Array.from({ length: rate.burst * 2 }, () => call('snapback_analyze', { type: 'package', folder: 'nowhere' }));
      const errors = (await Promise.all(calls)).map(({ content }) => JSON.parse(content[0].text).error);
      const error = errors.find((one) => one.code === 'RATE_LIMITED');
      assert.match(error.message, /^snapback_analyze with type package may be called \d+ times a minute/);
      assert.equal((await ask('analyze', { type: 'risk', files: ['README.md'] })).risk_level, 'low');
      assert.equal((await fail('analyze', { type: 'nonsense' })).code, 'INVALID_ARGUMENT');
    });

    once('an acknowledged risk is in the audit log without secrets', async (t) => {
      const { folder, ask } = await start(t);
      const { audit_id: id, confirmed_by: by } = await ask('acknowledge_risk', { reason: 'deploy with token=abcdefgh12345678', files: ['src/auth.ts'] });
      const [line] = await logged(folder, 'audit', (lines) => lines.length > 0);
      assert.deepEqual([line.id, line.event, line.risk_level, line.files], [id, 'risk_acknowledged', 'medium', ['src/auth.ts']]);
      assert.equal(line.reason, 'deploy with token=[redacted]');
      assert.deepEqual([by, line.confirmed_by], ['client', 'client'], 'this client cannot ask its user');
    });

    once('a proposal to acknowledge a risk leaves the reason to the user', async (t) => {
      const { folder, answer } = await start(t);
      const files = ['src/secrets.ts'];
      writeFileSync(join(folder, files[0]), 'x\n');
      for (const [name, args] of [['prepare_workspace', { files }], ['analyze', { type: 'risk', files }]]) {
        const { next_actions: actions } = await answer(name, args);
        const proposal = actions.find((one) => one.tool === 'snapback_acknowledge_risk');
        // The risk of the workspace includes all uncommitted files.
        const measured = name === 'analyze' ? { files } : {};
        assert.deepEqual([proposal.args, proposal.ask_user, proposal.condition], [measured, ['reason'], 'after the user has agreed'], name);
      }
      const { next_actions: planned } = await answer('prepare_workspace', { files: ['README.md'] });
      assert.deepEqual(planned.find((one) => one.tool === 'snapback_acknowledge_risk').args, { files: ['README.md', 'src/secrets.ts'] });
    });

    once('the risk of named files excludes other changes', async (t) => {
      const { folder, answer, ask } = await start(t);
      await ask('session', { op: 'start', task: 'mend the login', files: ['src/auth.ts'] });
      writeFileSync(join(folder, 'src/secrets.ts'), 'x\n');
      const { data, session } = await answer('analyze', { type: 'risk', files: ['README.md'] });
      assert.deepEqual([data.risk_level, data.risk_score, data.reasons, data.unprotected], ['low', 0, [], []]);
      assert.deepEqual([session.dirty, session.protection, session.risk_score > 0], [1, 50, true], 'the risk is that of all uncommitted work');
      const { data: agreed } = await answer('acknowledge_risk', { reason: 'only words', files: ['README.md'] });
      assert.deepEqual([agreed.risk_level, agreed.risk_score, agreed.reasons], ['low', 0, []]);
      const whole = await ask('analyze', { type: 'risk' });
      assert.deepEqual([whole.risk_score, whole.unprotected], [session.risk_score, ['src/secrets.ts']]);
    });

    once('an error and its log line have the same id', async (t) => {
      const { folder, fail, ask } = await start(t);
      const error = await fail('session', { op: 'end' });
      const lines = await logged(folder, 'errors', (all) => all.length > 0);
      assert.deepEqual([lines[0].id, lines[0].tool, lines[0].code, lines[0].message], [error.correlation_id, 'snapback.session', error.code, error.message]);
      await ask('meta');
      const calls = await logged(folder, 'mcp', (all) => all.length > 1);
      assert.deepEqual(calls.map((one) => [one.tool, one.outcome]), [['snapback.session', 'error'], ['snapback.meta', 'ok']]);
      assert.equal(calls[0].id, error.correlation_id);
    });

    once('without a workspace, the error of each call says how to choose one, and no file is written', async (t) => {
      const nowhere = join(tmpdir(), 'snapgen-no-such-folder');
      const { ask, fail } = await startSeparate(t, {}, nowhere);
      for (const { name } of sources.filter((source) => source.name !== 'snapback.meta'))
        assert.equal((await fail(name.replace('snapback.', ''))).code, 'WORKSPACE_INVALID');
      assert.equal((await ask('meta')).workspace, undefined);
      assert.ok(!existsSync(nowhere));
    });
  });
}
