// The calls that answers propose are possible and suit the state of the work.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { served } from './served.mjs';
import { diverge } from './servers.mjs';

const proposed = ({ next_actions: actions }, tool) => actions.find((one) => one.tool === tool);

describe('advice', () => {
  test('a snapshot proposed after a check without errors includes all files', async (t) => {
    const { json, text, write } = await served(t, { 'a.json': '1\n', 'b.json': '1\n' });
    write('a.json', '2\n');
    await text('snapback_snapshot_create', { files: ['a.json'] });
    write('b.json', '2\n');
    assert.deepEqual(proposed(await json('snapback_validate', {}), 'snapback_snapshot_create').args, { reason: 'after checks without an error' });
  });

  test('in the tier free a snapshot is proposed with the tool that works there', async (t) => {
    const { json, text, write } = await served(t, { 'a.txt': '1\n' }, { tier: 'free' });
    write('a.txt', '2\n');
    for (const [tool, args] of [['snapback_prepare_workspace', {}], ['snapback_analyze', { type: 'risk' }], ['snapback_session', { op: 'recommendations' }]]) {
      const { args: call } = proposed(await json(tool, args), 'snapshot_create');
      assert.deepEqual(call.paths, ['a.txt'], tool);
    }
    const { args: call } = proposed(await json('snapback_prepare_workspace', {}), 'snapshot_create');
    assert.match(await text('snapshot_create', call), /snap_[0-9a-f]{10}/);
    assert.match(await text('snapback_prepare_workspace', {}), /100% protected/);
  });

  test('after an error the next call is to check again, not to discard the work', async (t) => {
    const { json, text, write } = await served(t, { 'a.c': 'int a;\n' });
    await text('snap', { mode: 'start', task: 'x' });
    write('a.c', 'int a( {\n');
    const answer = await json('snapback_validate', {});
    assert.equal(proposed(answer, 'snapback_snapshot_restore'), undefined);
    assert.equal(proposed(answer, 'snapback_validate').condition, 'after the errors are corrected');
  });

  test('an unknown constraint proposes the list of constraints only if there are some', async (t) => {
    const { json } = await served(t, { 'package.json': '{}' });
    await json('snapback_context', { op: 'init' });
    const args = { op: 'check', domain: 'bundle', name: 'size', value: 1 };
    const answer = await json('snapback_context', args);
    assert.match(answer.error.hint, /has none/);
    assert.equal(answer.next_actions, undefined);
  });

  test('if the client does not support elicitation, the hint says what the model can do', async (t) => {
    const { json, write } = await served(t, { 'a.txt': '1\n' });
    const { data: { alias } } = await json('snapback_snapshot_create', {});
    write('a.txt', '2\n');
    const { error } = await json('snapback_snapshot_restore', { snapshot_id: alias, confirm: true });
    assert.equal(error.code, 'UNSUPPORTED');
    assert.match(error.hint, /\bcall again without confirm\b/);
    assert.doesNotMatch(error.message, /Use a client/);
  });

  test('the manifests of a monorepo are proposed', async (t) => {
    const { json, text } = await served(t, {
      'package.json': '{"private":true,"workspaces":["packages/*"]}',
      'packages/cart/package.json': '{"name":"cart","dependencies":{"left-pad":"^1.0.0"}}',
      'packages/core/package.json': '{"name":"core"}',
    });
    const answer = await json('snapback_analyze', { type: 'package' });
    assert.deepEqual(proposed(answer, 'snapback_analyze').args, { folder: 'packages/cart', type: 'package' });
    assert.match(await text('snapback_analyze', { type: 'package' }), /workspaces have their own manifests, such as packages\/cart\/package\.json: pass their folder\./);
  });

  test('only a folder that the manifest names is called a workspace, and a locked package is not unknown', async (t) => {
    const { text } = await served(t, {
      'package.json': '{"private":true,"workspaces":["packages/*"]}',
      'package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/esbuild":{"version":"0.21.5"}}}',
      'packages/core/package.json': '{"name":"core"}',
      'tools/requirements.txt': 'requests==2.31.0\n',
    });
    assert.match(await text('snapback_analyze', { type: 'package' }), /There are manifests in other folders, such as tools\/requirements\.txt/);
    const locked = await text('snapback_analyze', { type: 'package', package: 'esbuild' });
    assert.match(locked, /^esbuild is in package-lock\.json, as a package that others need: 0 errors/);
    assert.match(await text('snapback_analyze', { type: 'package', package: 'esbuild', version: '1.0.0' }), /whether version 1\.0\.0 of it exists was not checked/);
  });

  test('the folder of the manifest that declares a package is named, also if it is the root', async (t) => {
    const { json } = await served(t, { 'package.json': '{"dependencies":{"zod":"^3.0.0"}}', 'web/package.json': '{}' });
    const { next_actions: [{ reason }] } = await json('snapback_analyze', { type: 'package', package: 'zod', folder: 'web' });
    assert.equal(reason, "Analyze it where it is declared, in the workspace's root.");
  });

  test('the tests to run include no headers, and are those of the folder whose package changed', async (t) => {
    const { text, write } = await served(t, {
      'tests/check.h': '', 'tests/test_a.cc': '#include "check.h"\n', 'unit/tests/__init__.py': '', 'unit/tests/test_b.py': '',
    });
    write('tests/check.h', '#pragma once\n');
    assert.match(await text('check', { mode: 'impact' }), /Tests to run: tests\/test_a\.cc\./);
    assert.match(await text('check', { mode: 'impact', files: ['unit/tests/__init__.py'] }), /Tests to run: unit\/tests\/test_b\.py\./);
  });

  test('documents that name removed constants or methods are reported; a link to a deleted file is reported once', async (t) => {
    const { git, text, write } = await served(t, {
      'config.py': 'DEFAULT_PORT = 80\n', 'ledger.ts': 'export class Ledger {\n  balanceOf(id: string): number {\n    return 1;\n  }\n}\n', 'money.ts': '\n',
      'docs.md': 'DEFAULT_PORT\n`balanceOf`\n[money.ts](./money.ts)\n',
    });
    write('config.py', 'PORT = 80\n');
    write('ledger.ts', 'export class Ledger {\n  balance(id: string): number {\n    return 1;\n  }\n}\n');
    git('rm', '-q', 'money.ts');
    const answer = await text('check', { mode: 'docs', limit: 9 });
    assert.match(answer, / 3 errors and 0 warnings\. docs\.md:1: names_gone DEFAULT_PORT of config\.py; docs\.md:2: names_gone balanceOf of ledger\.ts; docs\.md:3: names_gone money\.ts/);
    write('other.ts', 'balanceOf();\n');
    assert.doesNotMatch(await text('check', { mode: 'docs', limit: 9 }), /balanceOf/);
  });

  test('a version range is quoted after an equals sign', async (t) => {
    const { text } = await served(t, { 'requirements.txt': 'one==7.6.1\n' });
    const answer = await text('snapback_analyze', { type: 'package' });
    assert.match(answer, /- declared="==7\.6\.1", ecosystem=pypi, /);
  });

  test('a test of payment code is not rated as payment code', async (t) => {
    const { text } = await served(t, { 'tests/test_refund.py': 'a\n', 'shop/refund.py': 'a\n' });
    assert.doesNotMatch(await text('snapback_analyze', { type: 'risk', files: ['tests/test_refund.py'] }), /payments/);
    assert.match(await text('snapback_analyze', { type: 'risk', files: ['shop/refund.py'] }), /shop\/refund\.py: payments/);
  });

  test('with an open session, no second session is proposed for a new package', async (t) => {
    const { json, text } = await served(t, { 'package.json': '{}' });
    await text('snap', { mode: 'start', task: 'x' });
    assert.equal(proposed(await json('snapback_analyze', { type: 'package', package: 'zod' }), 'snapback_session'), undefined);
  });

  test('a named file that does not exist is not reported as protected', async (t) => {
    const { text } = await served(t, { 'a.txt': '1\n' });
    assert.match(await text('snapback_prepare_workspace', { files: ['a.txt', 'none.txt'] }), /\bnone\.txt does not exist\b.*\bfiles that exist are committed\b/);
  });

  test('a file that git lists as unmerged is a blocker even without conflict markers', async (t) => {
    const { git, json, write } = await served(t, { 'a.txt': '1\n' });
    diverge({ git, write }, { 'a.txt': '2\n' }, { 'a.txt': '3\n' });
    assert.throws(() => git('merge', 'other'));
    write('a.txt', '4\n');
    const { data } = await json('snapback_context', { op: 'blockers' });
    assert.deepEqual(data.blockers.map((one) => one.description), ['a.txt is unmerged in git. When it is right, run `git add` on it.']);
  });

  test('the undo snapshot of a rename has the file under its old name', async (t) => {
    const { json, text } = await served(t, { 'old.txt': 'a\n' });
    await text('workspace_apply_patch', { patch: 'diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n' });
    const { data } = await json('snapback_snapshot_list', {});
    assert.deepEqual(data.snapshots.map((one) => one.message), ['before patching old.txt']);
  });

  test('a trailing comma in JSON is a warning, and an example of a conflict in a document is not', async (t) => {
    const { text, write } = await served(t, { 'a.json': '{}\n' });
    write('a.json', '{\n  "a": 1,\n}\n');
    write('merging.md', 'A conflict begins with\n\n<<<<<<< HEAD\n');
    const answer = await text('check', { mode: 'quick' });
    assert.match(answer, /0 errors and 1 warning|0E\|warn:1W/);
    assert.match(answer, /a\.json:3: syntax a comma before a closing bracket is not allowed in JSON/);
  });

  test('a document that names a moved file is reported, even if it changed in the same commit', async (t) => {
    const { git, text, write } = await served(t, { 'src/fees.ts': 'export const fee = 1;\n', 'loans.md': 'See src/fees.ts.\n\nOne.\n' });
    git('mv', 'src/fees.ts', 'src/charges.ts');
    write('loans.md', 'See src/fees.ts.\n\nTwo.\n');
    const found = /loans\.md:1: names_gone src\/fees\.ts/;
    assert.match(await text('check', { mode: 'docs' }), found);
    git('commit', '-qam', 'move');
    assert.match(await text('check', { mode: 'docs' }), found);
  });

  test('the proposed test of a C++ source file is the one that includes its header', async (t) => {
    const { text, write } = await served(t, {
      'src/eval.h': 'int eval();\n', 'src/eval.cc': '#include "eval.h"\nint eval() { return 1; }\n', 'tests/eval_test.cc': '#include "../src/eval.h"\n',
    });
    write('src/eval.cc', '#include "eval.h"\nint eval() { return 2; }\n');
    assert.match(await text('check', { mode: 'impact' }), /Tests to run: tests\/eval_test\.cc\./);
  });

  test('an include of a deleted header by its name alone is a warning', async (t) => {
    const { git, text } = await served(t, {
      'src/lexer.h': 'int lex();\n', 'src/lexer.cc': '#include "lexer.h"\n', 'tests/lexer_test.cc': '#include "lexer.h"\n',
    });
    git('mv', 'src/lexer.h', 'src/scanner.h');
    const answer = await text('check', { mode: 'quick' });
    assert.match(answer, /src\/lexer\.cc:1: missing_import 'lexer\.h' does not exist/);
    assert.match(answer, /tests\/lexer_test\.cc:1: missing_import 'lexer\.h' was src\/lexer\.h, which is deleted/);
    assert.match(answer, /1 error and 1 warning/);
  });

  test('the document check says which lines it did not compare', async (t) => {
    const { text, write } = await served(t, { 'a.py': 'def rate():\n    pass\n', 'design.md': 'Call `rate`.\n', 'other.md': 'x\n' });
    write('a.py', 'def share():\n    pass\n');
    write('design.md', 'Call `rate`.\nMore.\n');
    const answer = await text('check', { mode: 'docs' });
    assert.match(answer, /design\.md:1: names_gone rate of a\.py/);
    assert.match(answer, /2 documents compared with 1 change and the files that the history deleted, without the new lines of 1 changed document\./);
  });

  test('a version that was not checked is not reported as correct', async (t) => {
    const { text } = await served(t, { 'requirements.txt': 'requests>=2.31,<3\n' });
    assert.match(await text('snapback_analyze', { type: 'package', package: 'requests', version: '2.99.9' }), /Whether version 2\.99\.9 exists was not checked\./);
  });

  test('a comprehensive validation says that it ran no tests', async (t) => {
    const { text, write } = await served(t, { 'a.json': '1\n' });
    write('a.json', '2\n');
    assert.match(await text('snapback_validate', { mode: 'comprehensive' }), /\btests were not run: check with mode full\b/);
  });
});
