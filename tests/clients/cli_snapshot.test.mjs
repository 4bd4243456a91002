// `snap snapshot`: creating, showing, comparing, restoring and deleting snapshots.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { fits, fitsTool, scratch, taken } from './cli_repository.mjs';
import { json, onTerminal, run, snap } from './commands.mjs';
import { tick } from './servers.mjs';

const git = (folder, ...words) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
const colours = /\x1b\[/;
const short = (id) => `snap_${id.replace('sha256:', '').slice(0, 10)}`;

describe('snap snapshot', () => {
  test('create, list and show print for people, for scripts and for terminals', async (t) => {
    const folder = scratch(t);
    const empty = await run(folder, ['snapshot', 'list']);
    assert.equal(empty.out, 'There are no snapshots yet.\n');
    const made = await json(folder, ['snapshot', 'create', '-m', 'before the refactoring, which is long enough to be cut on a terminal of a hundred columns, or so']);
    assert.equal(made.code, 0);
    await fitsTool('substrate/snapshot_create.json', made.value);
    const id = made.value.snapshot_id;
    assert.equal((await run(folder, ['snapshot', 'create'])).out, `${short(id)}  2 files, 14 B\n`);
    // Paths are relative to the current folder.
    const one = await json(join(folder, 'src'), ['snapshot', 'create', 'b.txt', '-m', 'one']);
    assert.equal(one.value.manifest_stats.files, 1);

    const listed = await json(folder, ['snapshot', 'list']);
    await fits('resources/kept_snapshots.json', listed.value);
    assert.equal(listed.value.total, 2);
    assert.equal(listed.value.snapshots.length, 2);
    const { out } = await run(folder, ['snapshot', 'list']);
    assert.doesNotMatch(out, colours);
    assert.match(out, /or so\n/, 'a message is not shortened for a pipe');
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /^snap_[0-9a-f]{10} {2}\d{4}-\d\d-\d\dT[\d:.]+Z +\d files? +\d+ B/);
    assert.equal((await json(folder, ['snapshot', 'list', '--contains', 'one'])).value.snapshots.length, 1);
    assert.equal((await json(folder, ['snapshot', 'list', '--limit', '1'])).value.snapshots.length, 1);
    const terminal = await onTerminal(folder, ['snapshot', 'list']);
    assert.match(terminal.out, colours);
    assert.match(terminal.out, /just now|ago/);
    assert.doesNotMatch(terminal.out, /or so/, 'a message is shortened to the width of the terminal');
    assert.doesNotMatch((await onTerminal(folder, ['snapshot', 'list'], { env: { NO_COLOR: '1' } })).out, colours);

    const shown = await json(folder, ['snapshot', 'show', id.slice(0, 14)]);
    assert.deepEqual(shown.value.entries.map((entry) => entry.path), ['a.txt', 'src/b.txt']);
    await fits('resources/kept_snapshot.json', shown.value.snapshot);
    await fits('common/fingerprint.json', shown.value.fingerprint);
    const page = (await run(folder, ['snapshot', 'show', short(id)])).out;
    assert.match(page, new RegExp(`^id +${id}\n`));
    assert.match(page, /\n *8 B {2}a\.txt\n *6 B {2}src\/b\.txt\n$/);
    const missing = await run(folder, ['snapshot', 'show', 'snap_0000000000']);
    assert.equal(missing.code, 1);
    assert.match(missing.errors, /snap_0000000000/);
  });

  test('the list names the old folder of a moved package\'s snapshots', async (t) => {
    const folder = scratch(t, { 'pkg/package.json': '{}', 'pkg/a.txt': 'one\n', 'z.txt': 'z\n' });
    const id = await taken(join(folder, 'pkg'), '-m', 'before the move');
    mkdirSync(join(folder, 'packages'));
    renameSync(join(folder, 'pkg'), join(folder, 'packages/pkg'));
    const moved = join(folder, 'packages/pkg');
    const said = "There is no snapshot of this folder, but the repository's store has 1, taken of pkg. It can be read and exported from here, but not restored.\n";
    assert.equal((await run(moved, ['snapshot', 'list'])).out, said);
    assert.equal((await json(moved, ['snapshot', 'list'])).value.total, 0);
    const log = await run(moved, ['log']);
    assert.deepEqual([log.out, log.errors], ['', said]);
    assert.match((await run(moved, ['snapshot', 'restore', id, '--yes'])).errors, /From here it can be read and exported/);
    assert.equal((await run(moved, ['snapshot', 'export', id, '-o', join(folder, 'pkg.tar')])).code, 0);
    await taken(moved, '-m', 'after it');
    assert.match((await run(moved, ['snapshot', 'list'])).out, /^snap_.* after it\n$/);
    assert.equal((await run(moved, ['log'])).errors, '');
  });

  test('terminal sequences in messages, paths and diffs are escaped', async (t) => {
    const folder = scratch(t, { 'evil\x1b]0;title\x07.txt': 'x\n' });
    const id = await taken(folder, '-m', 'red \x1b[31malert\x07 \u009b2J\nsecond line');
    const list = await run(folder, ['snapshot', 'list']);
    assert.match(list.out, / red \\u001b\[31malert\\u0007 \\u009b2J second line\n$/);
    const shown = await onTerminal(folder, ['snapshot', 'show', id], { env: { NO_COLOR: '1' } });
    assert.doesNotMatch(shown.out, /\x1b|\x07/);
    // Characters that are invisible, control a terminal or change the direction of text are shown by code; outside of a
    // terminal a diff is unchanged.
    writeFileSync(join(folder, 'evil\x1b]0;title\x07.txt'), 'in\u202evoice\u200b\x1b[2J\n');
    await taken(folder, '-m', 'gpj.\u202etxt');
    assert.match((await run(folder, ['snapshot', 'list', '--limit', '1'])).out, / gpj\.\\u202etxt\n/);
    const diff = await onTerminal(folder, ['snapshot', 'diff'], { env: { NO_COLOR: '1' } });
    assert.match(diff.out, /\+in\\u202evoice<U\+200B>\\u001b\[2J\r\n/);
    assert.match((await run(folder, ['snapshot', 'diff'])).out, /\+in\u202evoice\u200b\x1b\[2J\n/);
  });

  test('diff prints the same bytes as git diff', async (t) => {
    const folder = scratch(t, { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'three\n', 'bin.dat': Buffer.from([0, 1, 2, 255]), 'gone.txt': 'x\n', 'latin.txt': Buffer.from([0xe9, 10]) });
    const id = await taken(folder, '-m', 'base');
    writeFileSync(join(folder, 'a.txt'), 'one\nTWO\n');
    writeFileSync(join(folder, 'latin.txt'), Buffer.from([0xe8, 10]));
    writeFileSync(join(folder, 'src/b.txt'), 'three\nfour');
    rmSync(join(folder, 'gone.txt'));
    chmodSync(join(folder, 'src/b.txt'), 0o755);
    const theirs = execFileSync('git', ['-C', folder, 'diff', '--no-ext-diff', '--no-color', '--no-renames', '--full-index', 'HEAD']);
    const plain = execFileSync('git', ['-C', folder, 'diff', '--no-ext-diff', '--no-color', '--no-renames', 'HEAD']);
    for (const words of [[], ['head'], [id], [short(id)]]) {
      const { code, bytes } = await run(folder, ['snapshot', 'diff', ...words]);
      assert.equal(code, 0);
      assert.ok(bytes.equals(plain) || bytes.equals(theirs), bytes.toString('latin1'));
    }
    const narrow = await run(join(folder, 'src'), ['snapshot', 'diff', '--path', 'b.txt', '-U', '0']);
    assert.equal(narrow.out, git(folder, 'diff', '--no-color', '-U0', 'HEAD', '--', 'src/b.txt'));
    const later = await taken(folder);
    assert.ok((await run(folder, ['snapshot', 'diff', id, later])).bytes.equals(plain));
    // git applies the diff in reverse.
    const patch = (await run(folder, ['snapshot', 'diff', id, later])).bytes;
    git(folder, 'checkout', '--quiet', '.');
    execFileSync('git', ['-C', folder, 'apply', '--check', '-'], { input: patch });
    const structured = await json(folder, ['snapshot', 'diff', id, later]);
    await fitsTool('substrate/snapshot_diff.json', structured.value);
    const stat = (await run(folder, ['snapshot', 'diff', id, later, '--stat'])).out;
    assert.match(stat, /modified +a\.txt +\+1 +-1 {2}\+-\n/);
    assert.match(stat, /deleted +gone\.txt/);
    assert.match(stat, /\n4 files, \+3 -3\n$/);
    const terminal = await onTerminal(folder, ['snapshot', 'diff', id, later, '--path', 'a.txt']);
    assert.match(terminal.out, /\x1b\[31m-two\x1b\[0m\r\n\x1b\[32m\+TWO/);
    assert.equal((await run(folder, ['snapshot', 'diff', 'snap_0000000000'])).code, 1);
    assert.equal((await run(folder, ['snapshot', 'diff', '--untracked', id])).code, 2);
    assert.match((await run(folder, ['snapshot', 'diff', 'HEAD'])).errors, /Unknown FROM HEAD: it must be head, index or a snapshot's id\. Did you mean head\?/);
    assert.match((await run(folder, ['snapshot', 'diff', id, 'master'])).errors, /Unknown TO master: it must be a snapshot's id\. snap snapshot list/);
    // Runs in another folder, with a path through a symlink.
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    t.after(() => rmSync(link));
    for (const path of [join(link, 'src/b.txt'), join(folder, 'src/b.txt')])
      assert.equal((await run(folder, ['snapshot', 'diff', id, later, '--path', path, '--stat'])).out.split('\n').length, 3, path);
    assert.equal((await run(folder, ['snapshot', 'diff', id, later, '--path', link, '--stat'])).out, stat);
    assert.match((await run(folder, ['snapshot', 'diff', '--path', '/etc/passwd'])).errors, /is not in the workspace/);
  });

  test('list --contains searches all stored snapshots', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder, '-m', 'needle');
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const other = (await taken(folder, '-m', 'hay')).replace('sha256:', '');
    // Simulates that many other snapshots have been taken since.
    const snapshots = join(folder, '.git/snapgen/snapshots');
    for (let i = 0; i < 500; ++i)
      for (const name of readdirSync(snapshots).filter((each) => each.startsWith(other)))
        copyFileSync(join(snapshots, name), join(snapshots, name.replace(other, i.toString(16).padStart(64, '0'))));
    assert.equal((await json(folder, ['snapshot', 'list'])).value.total, 502);
    const found = (await json(folder, ['snapshot', 'list', '--contains', 'needle'])).value;
    assert.deepEqual([found.total, found.snapshots.map((each) => each.snapshot_id)], [1, [id]]);
    assert.equal((await json(folder, ['snapshot', 'list', '--contains', 'hay'])).value.total, 501);
  });

  test('restore deletes files created after the snapshot, and reports them before and after', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder, '-m', 'base');
    tick(folder);
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    writeFileSync(join(folder, 'notes.txt'), 'mine\n');
    const asked = await onTerminal(folder, ['snapshot', 'restore', id], { lines: [[/\[y\/N\] /, 'y\n']], env: { NO_COLOR: '1' } });
    assert.equal(asked.code, 0);
    // A slow machine shows and deletes a progress line first.
    assert.match(asked.out, /^(?:\r\x1b\[K[\d.]+ s)*(?:\r\x1b\[K)? {2}would delete {3}notes\.txt\r\n {2}would replace {2}a\.txt\r\nWould restore 1 file .* Would delete 1 file not in the snapshot: notes\.txt\.\r\nRestore 1 file and delete 1\? \[y\/N\] /);
    assert.ok(!existsSync(join(folder, 'notes.txt')));
    const log = (await run(folder, ['log', '--kind', 'restore'])).out;
    assert.match(log, /1 file put back {2}\[a\.txt\], 1 removed {2}\[notes\.txt\]; the previous content is in snap_/);
    const [event] = (await json(folder, ['log', '--kind', 'restore'])).value;
    assert.deepEqual([event.file_count, event.removed, event.removed_count], [2, ['notes.txt'], 1]);
    writeFileSync(join(folder, 'notes.txt'), 'mine\n');
    const only = await json(folder, ['snapshot', 'restore', id, '--yes']);
    assert.deepEqual([only.value.files, only.value.deleted, only.value.restored], [1, ['notes.txt'], []]);
    assert.match((await run(folder, ['log', '--kind', 'restore', '--limit', '1'])).out, /  1 file removed {2}\[notes\.txt\]; the previous/);
  });

  test('restore asks on a terminal, and needs --yes elsewhere', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder, '-m', 'base');
    const change = () => writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const content = () => readFileSync(join(folder, 'a.txt'), 'utf8');
    change();
    const unasked = await run(folder, ['snapshot', 'restore', id]);
    assert.equal(unasked.code, 2);
    assert.match(unasked.errors, /--yes/);
    const dry = await run(folder, ['snapshot', 'restore', id, '--dry-run', '--yes']);
    assert.equal(dry.code, 0);
    assert.match(dry.out, /^ {2}would replace {2}a\.txt\nWould restore 1 file from/);
    assert.equal(content(), 'changed\n');

    const no = await onTerminal(folder, ['snapshot', 'restore', id], { lines: [[/\[y\/N\] /, 'n\n']] });
    assert.equal(no.code, 1);
    assert.match(no.out, /Restore 1 file\? \[y\/N\] /);
    assert.match(no.out, /Nothing was changed\./);
    assert.equal(content(), 'changed\n');
    // Ctrl-C at the question also ends the command.
    const torn = await onTerminal(folder, ['snapshot', 'restore', id], { lines: [[/\[y\/N\] /, '\x03']] });
    assert.notEqual(torn.code, 0);
    assert.equal(content(), 'changed\n');
    const yes = await onTerminal(folder, ['snapshot', 'restore', id], { lines: [[/\[y\/N\] /, 'y\n']] });
    assert.equal(yes.code, 0);
    assert.equal(content(), 'one\ntwo\n');
    // Overwritten files can be restored.
    const safety = /restore (snap_[0-9a-f]{10})/.exec(yes.out)[1];
    assert.equal((await run(folder, ['snapshot', 'restore', safety, '--yes'])).code, 0);
    assert.equal(content(), 'changed\n');

    const done = await json(folder, ['snapshot', 'restore', id, '--yes']);
    assert.deepEqual([done.value.line, done.value.files, done.value.restored, done.value.status], ['R', 1, ['a.txt'], 'OK']);
    const again = await json(folder, ['snapshot', 'restore', id, '--yes']);
    assert.deepEqual([again.value.files, again.value.restored], [0, []]);
    const none = await json(folder, ['snapshot', 'restore', 'snap_0000000000', '--yes']);
    assert.equal(none.code, 1);
    assert.equal(none.value.code, 'SNAPSHOT_NOT_FOUND');
  });

  test('restores single paths in every tier', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder);
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    writeFileSync(join(folder, 'src/b.txt'), 'changed\n');
    const env = { SNAPBACK_TIER: 'free' };
    const some = await json(join(folder, 'src'), ['snapshot', 'restore', id, 'b.txt', '--yes'], { env });
    await fitsTool('facade/snapback_snapshot_restore.json', some.value);
    assert.equal(readFileSync(join(folder, 'src/b.txt'), 'utf8'), 'three\n');
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'changed\n');
    assert.match((await run(folder, ['snapshot', 'restore', id, 'a.txt', '--dry-run'], { env })).out, /would replace {2}a\.txt/);
    const typo = await run(folder, ['snapshot', 'restore', id, 'typo.c', '--yes'], { env });
    assert.deepEqual([typo.code, typo.out], [1, '']);
    assert.match(typo.errors, /contains nothing at typo\.c/);
  });

  test('closed standard streams cause errors, not damage, and the restore is logged', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder);
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const closed = spawnSync('sh', ['-c', `"${snap}" snapshot restore ${id} --yes >&-`], { cwd: folder, encoding: 'utf8' });
    assert.equal(closed.status, 1, closed.stderr);
    assert.match(closed.stderr, /Bad file descriptor/);
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'one\ntwo\n');
    assert.match((await json(folder, ['log', '--kind', 'restore'])).value[0].safety_snapshot_id, /^sha256:/);
    for (const redirection of ['2>&-', '<&-', '<&- 2>&-']) {
      const done = spawnSync('sh', ['-c', `"${snap}" snapshot create ${redirection}`], { cwd: folder, encoding: 'utf8' });
      assert.equal(done.status, 0, redirection);
      assert.match(done.stdout, /^snap_/);
    }
  });

  test('a snapshot keeps its message when the server captures the same state again', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder, '-m', 'before the refactoring');
    await run(folder, ['session', 'start', 'work']);
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const changed = await taken(folder, '-m', 'changed');
    await run(folder, ['snapshot', 'restore', id, '--yes']);
    await run(folder, ['snapshot', 'restore', changed, '--yes']);
    const messages = (await json(folder, ['snapshot', 'list'])).value.snapshots.map(({ message }) => message);
    assert.deepEqual(messages.toSorted(), ['before the refactoring', 'changed']);
  });

  test('names that are not UTF-8 are logged as base64', async (t) => {
    const folder = scratch(t);
    const bad = 'bad="$(printf "bad\\377")"';
    const script = `${bad}; echo x > "$bad"; id=$("${snap}" snapshot create | cut -d" " -f1); echo y > "$bad"; "${snap}" snapshot restore "$id" --yes && "${snap}" learn when what --file "$bad"`;
    const done = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    const { value, errors } = await json(folder, ['log']);
    assert.equal(errors, '');
    assert.ok(value.some(({ kind }) => kind === 'learning'), JSON.stringify(value));
    assert.deepEqual(value.find(({ kind }) => kind === 'restore').files, ['base64:YmFk/w==']);
  });

  test('names are printed in a form that commands accept as a path', async (t) => {
    const folder = scratch(t, { 'back\\slash': '1\n', '~tilde': '2\n', 'base64:x': '3\n' });
    const bad = Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]);
    writeFileSync(bad, 'x\n');
    const id = await taken(folder);
    const { out } = await run(folder, ['snapshot', 'show', id]);
    const names = out.trim().split('\n').slice(-4).map((line) => line.split(/ {2,}/).at(-1).replace(/^.* B /, '').trim());
    assert.deepEqual(names, ['back\\slash', 'base64:YmFk/w==', 'base64:YmFzZTY0Ong=', '~tilde']);
    for (const name of [...names, 'base64:x']) {
      const made = await json(folder, ['snapshot', 'create', name]);
      assert.equal(made.value.manifest_stats?.files, 1, `${name}: ${made.errors}`);
    }
    assert.match((await run(folder, ['snapshot', 'create', 'base64:!'])).errors, /base64/);
  });

  test('list counts the files of a snapshot whose note is missing', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder);
    for (const name of readdirSync(join(folder, '.git/snapgen/snapshots'))) if (name.endsWith('.note')) rmSync(join(folder, '.git/snapgen/snapshots', name));
    assert.match((await run(folder, ['snapshot', 'list'])).out, new RegExp(`^${short(id)} .* 2 files  14 B`));
  });

  test('a FIFO in place of the settings is reported, and does not block', async (t) => {
    const folder = scratch(t, { 'a.txt': 'a', '.snapback/.gitignore': '*' });
    execFileSync('mkfifo', [join(folder, '.snapback/config.json')]);
    const listed = await run(folder, ['snapshot', 'list']);
    assert.match(listed.errors, /is a FIFO, socket or device, not a file/);
    assert.match((await run(folder, ['doctor'])).out, /error +settings +.*is a FIFO, socket or device, not a file/);
  });

  test('restore and export obey the write rules of the settings', async (t) => {
    const folder = scratch(t);
    const id = await taken(folder);
    mkdirSync(join(folder, '.snapback'), { recursive: true });
    writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify({ writes: { deny: ['a.txt', '*.tar'] } }));
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const refused = await run(folder, ['snapshot', 'restore', id, '--yes']);
    assert.equal(refused.code, 1);
    assert.match(refused.errors, /a\.txt may not be written/);
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'changed\n');
    const packed = await run(folder, ['snapshot', 'export', id, '-o', 'out.tar']);
    assert.equal(packed.code, 1);
    assert.ok(!existsSync(join(folder, 'out.tar')));
    assert.match(readFileSync(join(folder, '.snapback/logs/security.jsonl'), 'utf8'), /snap_fix/);
    writeFileSync(join(folder, '.snapback/config.json'), '{ "tierr": "pro" }');
    const faulty = await run(folder, ['snapshot', 'restore', id, '--yes']);
    assert.equal(faulty.code, 1, 'settings with errors forbid all writing');
    assert.match(faulty.errors, /tier/);
  });

  test('export writes the same tar archive each time', async (t) => {
    const folder = scratch(t);
    symlinkSync('a.txt', join(folder, 'link'));
    const id = await taken(folder);
    const elsewhere = mkdtempSync(join(tmpdir(), 'snapgen export '));
    t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
    const file = join(elsewhere, 'work.tar');
    const written = await run(folder, ['snapshot', 'export', id, '-o', file]);
    assert.equal(written.code, 0, written.errors);
    assert.deepEqual(execFileSync('tar', ['tf', file], { encoding: 'utf8' }).trim().split('\n'), ['a.txt', 'link', 'src/b.txt']);
    assert.ok((await run(folder, ['snapshot', 'export', id])).bytes.equals(readFileSync(file)));
    assert.ok((await run(folder, ['snapshot', 'export', id, '-o', '-'])).bytes.equals(readFileSync(file)));
    assert.ok(!existsSync(join(folder, '-')));
    const again = await run(folder, ['snapshot', 'export', id, '-o', file]);
    assert.equal(again.code, 1);
    assert.match(again.errors, /already exists\. Pass --force/);
    const forced = await json(folder, ['snapshot', 'export', id, 'src', '-o', file, '--force']);
    assert.equal(forced.value.path, file);
    assert.deepEqual(execFileSync('tar', ['tf', file], { encoding: 'utf8' }), 'src/b.txt\n');
    assert.deepEqual(readdirSync(elsewhere), ['work.tar']);
    const bundle = JSON.parse((await run(folder, ['snapshot', 'export', id, '--format', 'bundle'])).out);
    assert.equal(bundle.format, 'snapgen-bundle/1');
    const structured = await json(folder, ['snapshot', 'export', id, '--format', 'bundle']);
    await fitsTool('substrate/snapshot_export.json', structured.value);
    assert.deepEqual(structured.value.bundle, bundle);
    assert.equal((await onTerminal(folder, ['snapshot', 'export', id])).code, 2, 'an archive is not written to a terminal');
    assert.equal((await run(folder, ['snapshot', 'export', id, '-o', join(elsewhere, 'no/such/folder.tar')])).code, 1);
  });

  test('an exported archive has no size limit, unlike the tool\'s answer', async (t) => {
    const folder = scratch(t, { 'large.bin': Buffer.alloc(18 << 20, 'x'), 'a.txt': 'a\n' });
    const id = await taken(folder);
    const { code, bytes } = await run(folder, ['snapshot', 'export', id]);
    assert.equal(code, 0);
    assert.deepEqual(execFileSync('tar', ['t'], { input: bytes, encoding: 'utf8' }), 'a.txt\nlarge.bin\n');
    const refused = await json(folder, ['snapshot', 'export', id]);
    assert.equal(refused.value.error.code, 'TOO_LARGE', 'the tool rejects the same archive');
  });

  test('snapshot gc collects the store, and store stats and verify inspect it', async (t) => {
    const folder = scratch(t);
    await taken(folder);
    const dry = await json(folder, ['snapshot', 'gc', '--dry-run']);
    assert.deepEqual([dry.code, dry.value.dry_run, dry.value.snapshots_kept], [0, true, 1]);
    assert.match((await run(folder, ['store', 'stats'])).out, /^store +.*\nsnapshots +1\n/);
    assert.equal((await json(folder, ['store', 'verify'])).value.sound, true);
  });

  test('gc keeps the starting snapshot of an open task when the store is over its quota', async (t) => {
    const settings = JSON.stringify({ store: { keep_count: 10, quota_bytes: 1 << 20 } });
    const folder = scratch(t, { 'a.txt': 'a\n', '.snapback/.gitignore': '*', '.snapback/config.json': settings });
    const fill = () => writeFileSync(join(folder, 'noise.bin'), randomBytes(400_000));
    fill();
    const task = (await json(folder, ['session', 'start', 'fill the store'])).value.data.task_id;
    fill();
    const between = await taken(folder);
    fill();
    await taken(folder);
    assert.deepEqual((await json(folder, ['store', 'gc'])).value.snapshots_removed, [between]);
    assert.equal((await run(folder, ['session', 'stats', '--task', task])).code, 0);
  });

  test('verify and export name the files whose content is damaged', async (t) => {
    const folder = scratch(t, { 'dir/lost.txt': 'content '.repeat(5), 'copy.txt': 'content '.repeat(5), 'other.txt': 'other\n' });
    const id = await taken(folder);
    const blobs = join(folder, '.git/snapgen/blobs');
    const segment = join(blobs, readdirSync(blobs).find((name) => name.endsWith('.seg')));
    const bytes = readFileSync(segment);
    bytes[bytes.indexOf('content ')] ^= 1;
    writeFileSync(segment, bytes);
    const found = await json(folder, ['store', 'verify']);
    assert.equal(found.code, 1);
    assert.deepEqual(found.value.damages.map((each) => [each.paths, each.more_paths, each.snapshots]), [[['copy.txt', 'dir/lost.txt'], false, [id]]]);
    assert.match((await run(folder, ['store', 'verify'])).out, /\n {2}files {5}copy\.txt, dir\/lost\.txt\n/);
    assert.match((await run(folder, ['snapshot', 'export', id])).errors, /^copy\.txt cannot be exported: The blob .* is damaged\. Run snap store verify to see what it affects\. Name the other paths to export those\./m);
    assert.equal((await run(folder, ['snapshot', 'export', id, 'other.txt'])).code, 0);
  });

  test('gc logs removed snapshots, and names the option that skips damaged ones', async (t) => {
    const folder = scratch(t, { 'a.txt': 'a\n', '.snapback/.gitignore': '*' });
    const id = await taken(folder);
    writeFileSync(join(folder, 'a.txt'), 'b\n');
    await taken(folder);
    const gc = ['store', 'gc', '--keep-days', '0', '--keep-count', '1'];
    assert.equal((await json(folder, [...gc, '--dry-run'])).value.snapshots_removed.length, 1);
    const audit = join(folder, '.snapback/logs/audit.jsonl');
    assert.ok(!existsSync(audit), 'a dry run removes nothing');
    assert.deepEqual((await json(folder, gc)).value.snapshots_removed, [id]);
    const entry = JSON.parse(readFileSync(audit, 'utf8'));
    assert.deepEqual([entry.event, entry.snapshot_ids, entry.snapshots_removed], ['collection', [id], 1]);

    const snapshots = join(folder, '.git/snapgen/snapshots');
    for (const name of readdirSync(snapshots)) if (!name.endsWith('.note')) writeFileSync(join(snapshots, name), 'damaged');
    const refused = await run(folder, ['store', 'gc']);
    assert.equal(refused.code, 1);
    assert.match(refused.errors, /damaged.*--drop-damaged/);
    assert.equal((await run(folder, ['store', 'gc', '--drop-damaged'])).code, 0);
  });
});
