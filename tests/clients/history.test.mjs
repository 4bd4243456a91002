// `snap log` and `snap report` on a history that the tools have made, and the work in the report in a browser that opens
// it from disk. ui.test.mjs has the recorded changes in it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { contrast } from './contrast.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { browserTabs, program } from './tabs.mjs';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));

const hostile = '</script><img src=x onerror="document.title=1"> & "quoted" \u202e{{style}}';
const file = '<b onmouseover=alert(1)>&amp;.txt';

const snap = (folder, ...words) => {
  const { status, stdout, stderr } = spawnSync(join(build, 'snap'), words, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  return { status, stdout, stderr };
};
const events = (folder, ...words) => {
  const { status, stdout, stderr } = snap(folder, 'log', '--json', ...words);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

const short = (id) => `snap_${id.replace(/^sha256:/, '').slice(0, 10)}`;

// Creates a workspace with a task, a failed check, a restore, a violation and a learning.
const worked = async (t) => {
  const folder = repository(t, { [file]: 'one\n', 'b.json': '{}\n' });
  const server = snapgen(folder);
  const { client, call: raw } = await connect(t, openings[0], { ...server, env: { ...process.env, SNAPBACK_TIER: 'pro' } });
  await client.listTools();
  const call = async (name, args) => {
    const result = await raw(name, args);
    assert.ok(!result.isError, JSON.stringify(result.content));
    return result.structuredContent?.data ?? result.content[0].text;
  };
  const { snapshot_id: first } = await call('snapback_snapshot_create', { reason: hostile });
  await call('snap', { mode: 'start', task: hostile, files: [file] });
  writeFileSync(join(folder, file), '<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n');
  assert.match(await call('check', { mode: 'quick' }), /status:✗/);
  await call('snapback_snapshot_restore', { snapshot_id: short(first), files: [file] });
  await call('check', { mode: 'quick' });
  writeFileSync(join(folder, 'b.json'), '{"b":1}\n');
  await call('check', { mode: 'quick' });
  writeFileSync(join(folder, 'b.json'), '{}\n');
  await call('snap_violation', { type: 'markup', file, description: hostile });
  await call('snapback_acknowledge_risk', { files: [file], reason: hostile });
  appendFileSync(join(folder, file), 'two\n');
  await call('snap_end', { outcome: 'completed', learnings: [hostile] });
  await client.close();
  return folder;
};

describe('snap log', () => {
  test('lists all actions of the tools, the latest first', async (t) => {
    const folder = await worked(t);
    const all = events(folder);
    const seen = all.map(({ kind, state }) => (state ? `${kind} ${state}` : kind));
    for (const each of ['snapshot', 'task started', 'check fail', 'restore', 'check skipped', 'check pass', 'violation', 'learning discovery', 'task completed'])
      assert.ok(seen.includes(each), `${each}: ${seen}`);
    assert.ok(seen.some((each) => each.startsWith('risk ')), `${seen}`);
    assert.ok(seen.indexOf('check pass') < seen.indexOf('check fail'), 'the latest check is the first');
    const times = all.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    const restore = all.filter(({ kind }) => kind === 'restore');
    assert.equal(restore.length, 1, 'one restore in the memory and the audit log is listed once');
    assert.deepEqual([restore[0].files, restore[0].file_count], [[file], 1]);
    assert.match(restore[0].safety_snapshot_id, /^sha256:/);
    const ended = all.find(({ state }) => state === 'completed');
    assert.deepEqual([ended.title, ended.added_lines, ended.files], [hostile, 1, [file]]);
    const failed = all.find(({ state }) => state === 'fail');
    assert.deepEqual(failed, { at: failed.at, errors: 2, kind: 'check', state: 'fail', task_id: ended.id, title: 'quick', warnings: 0 });

    const text = snap(folder, 'log').stdout.split('\n').filter(Boolean);
    assert.equal(text.length, all.length);
    assert.match(text[0], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}/);
    assert.ok(text.every((line) => !/[\x00-\x1f\x7f]/.test(line)));
    assert.ok(text.some((line) => / restore .* snap_[0-9a-f]{10} /.test(line)), text.join('\n'));
  });

  test('filters by kind, number and time', async (t) => {
    const folder = await worked(t);
    const all = events(folder);
    assert.deepEqual(events(folder, '--kind', 'check', '--kind', 'restore'), all.filter(({ kind }) => ['check', 'restore'].includes(kind)));
    assert.deepEqual(events(folder, '-n', '3'), all.slice(0, 3));
    assert.deepEqual(events(folder, '--limit', '0'), []);
    assert.deepEqual(events(folder, '--since', '1w'), all);
    assert.deepEqual(events(folder, '--since', '2000-01-01'), all);
    assert.deepEqual(events(folder, '--since', '2999-01-01T10:00'), []);
    assert.deepEqual(events(folder, '--since', all[2].at), all.filter(({ at }) => at >= all[2].at));
    for (const wrong of [['--since', 'yesterday'], ['--since', '2h30m'], ['--since', '99999999999999999999d'], ['--kind', 'snapshots'], ['--limit', '-1'], ['more']]) {
      const { status, stdout, stderr } = snap(folder, 'log', ...wrong);
      assert.deepEqual([status, stdout], [2, ''], wrong.join(' '));
      assert.match(stderr, /\S/);
    }
  });

  test('counts unreadable records, and lists the others', async (t) => {
    const folder = await worked(t);
    const before = events(folder);
    appendFileSync(join(folder, '.snapback/learnings/violations.jsonl'), '\u0000\n{"torn":');
    appendFileSync(join(folder, '.snapback/logs/audit.jsonl'), 'nonsense\n');
    const { status, stdout, stderr } = snap(folder, 'log', '--json');
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), before);
    assert.equal(stderr, '3 records could not be read (2 in learnings/violations.jsonl, 1 in logs/audit.jsonl).\n');
  });

  test('lists a restore that only the audit log contains, with its time', async (t) => {
    const folder = await worked(t);
    const [before] = events(folder, '--kind', 'restore');
    rmSync(join(folder, '.snapback/learnings/reverts.jsonl'));
    const [after] = events(folder, '--kind', 'restore');
    assert.deepEqual([after.file_count, after.safety_snapshot_id], [1, before.safety_snapshot_id]);
    assert.ok(Math.abs(Date.parse(after.at) - Date.parse(before.at)) < 10_000, after.at);
  });

  test('prints nothing for a workspace without history, and creates no file', (t) => {
    const folder = repository(t, { 'a.txt': 'a' });
    assert.deepEqual(events(folder), []);
    assert.deepEqual(snap(folder, 'log'), { status: 0, stdout: '', stderr: '' });
    assert.ok(!existsSync(join(folder, '.snapback')));
    assert.ok(!existsSync(join(folder, '.git/snapgen')));
    assert.equal(snap('/', 'log', '--workspace', '/nowhere').status, 1);
  });
});

describe('snap report', () => {
  test('is written to .snapback/report.html by default, and replaced each time', (t) => {
    const folder = repository(t, { 'deep/a.txt': 'a' });
    for (const _ of [1, 2]) assert.match(snap(join(folder, 'deep'), 'report').stdout, /\.snapback\/report\.html \(\d+ events\)\n$/);
    assert.match(readFileSync(join(folder, '.snapback/report.html'), 'utf8'), /^<!doctype html>/i);
    assert.equal(spawnSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' }).stdout, '');
    const both = snap(folder, 'report', '-', '--json');
    assert.deepEqual([both.status, JSON.parse(both.stdout).error.code], [2, 'INVALID_ARGUMENT']);
    assert.match(JSON.parse(snap(folder, 'report', '--json').stdout).path, /\.snapback\/report\.html$/);
    rmSync(join(folder, '.snapback'), { recursive: true });
    symlinkSync('deep', join(folder, '.snapback'));
    const refused = snap(folder, 'report');
    assert.equal(refused.status, 1, refused.stdout);
    assert.deepEqual(readdirSync(join(folder, 'deep')), ['a.txt']);
  });

  test('is a single file, identical for the same state', async (t) => {
    const folder = await worked(t);
    mkdirSync(join(folder, 'out'));
    assert.match(snap(folder, 'report', 'out/a.html').stdout, /^Written: out\/a\.html \(\d+ events\)\n$/);
    assert.deepEqual(readdirSync(join(folder, 'out')), ['a.html'], 'no temporary file remains');
    const page = readFileSync(join(folder, 'out/a.html'), 'utf8');
    assert.equal(snap(folder, 'report', '-').stdout, page);
    const elsewhere = spawnSync(join(build, 'snap'), ['report', '-'], { cwd: folder, encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
    assert.equal(elsewhere.stdout, page);
    assert.ok(!page.includes('<img') && !page.includes('<b onmouseover'));
    assert.ok(!/(?:src|href)\s*=\s*["']?https?:/.test(page));
  });

  test('fails for a path that cannot be written', (t) => {
    const folder = repository(t, { 'a.txt': 'a' });
    for (const [place, code] of [['none/a.html', 1], ['.', 2], ['a.txt/b.html', 1], ['', 2]]) {
      const { status, stderr } = snap(folder, 'report', place);
      assert.equal(status, code, `${place}: ${stderr}`);
      assert.match(stderr, /\S/);
    }
  });

  test('does not overwrite other files without --force', (t) => {
    const folder = repository(t, { 'a.txt': 'a', '.snapback/config.json': '{"writes":{"deny":["*.md"]}}' });
    symlinkSync('a.txt', join(folder, 'link'));
    symlinkSync('.git', join(folder, 'git'));
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const head = readFileSync(join(folder, '.git/HEAD'), 'utf8');
    for (const [place, ...more] of [['a.txt'], ['.git/HEAD', '--force'], ['git/HEAD', '--force'], ['.git/new'], ['.snapback/config.json'], ['link', '--force'], ['pipe', '--force'], ['notes.md']]) {
      const { status, stderr } = snap(folder, 'report', place, ...more);
      assert.equal(status, 1, place);
      assert.match(stderr, /^.+\.\n$/, place);
    }
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'a');
    assert.equal(readFileSync(join(folder, '.git/HEAD'), 'utf8'), head);
    assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink() && lstatSync(join(folder, 'pipe')).isFIFO());
    assert.equal(snap(folder, 'report', 'a.txt', '--force').status, 0);
    assert.match(readFileSync(join(folder, 'a.txt'), 'utf8'), /^<!doctype html>/i);
  });
});

describe('the work in the report', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  const openTab = browserTabs();
  const open = (t, path, options = {}) => openTab(t, `${pathToFileURL(path).href}#work`, { viewport: { width: 1000, height: 800 }, ...options });

  test('is a real history with escaped texts, and the page sends no request', async (t) => {
    const folder = await worked(t);
    snap(folder, 'report', 'r.html');
    const { tab, complaints, asked } = await open(t, join(folder, 'r.html'));
    assert.equal(await tab.title(), `${folder.slice(folder.lastIndexOf('/') + 1)} · snapgen history`);
    assert.equal(await tab.locator('.event').count(), events(folder).length);
    assert.equal(await tab.locator('img, iframe, b[onmouseover], link, a').count(), 0);
    const titles = await tab.locator('.event bdi').allTextContents();
    assert.ok(titles.filter((text) => text === hostile.replace('\u202e', '\\u202e')).length >= 4, titles.join('\n'));
    const row = tab.locator('#files tbody tr').filter({ hasText: file });
    assert.deepEqual(await row.locator('td').allTextContents(), [file, '1', '1', '1', '1']);
    assert.deepEqual((await tab.locator('#tasks tbody tr td').allTextContents()).slice(1, 4), ['completed', '1', '1']);
    assert.ok((await tab.locator('#risk .dot').count()) > 1);
    assert.ok((await tab.locator('#risk .dot title').first().textContent()).includes('points'));
    const box = tab.getByRole('checkbox', { name: 'snapshot' });
    await box.uncheck();
    assert.equal(await tab.locator('.event[data-kind=snapshot]').count(), 0);
    assert.ok((await tab.locator('.event[data-kind=task]:visible').count()) > 0);
    await box.check();
    assert.equal(await tab.locator('.event:visible').count(), events(folder).length);
    assert.deepEqual(complaints, []);
    assert.deepEqual(asked.map((each) => each.replace(/#.*/, '')), [pathToFileURL(join(folder, 'r.html')).href]);
  });

  test('has a sentence for each empty section', async (t) => {
    const folder = repository(t, { 'a.txt': 'a' });
    snap(folder, 'report', 'r.html');
    const { tab, complaints } = await open(t, join(folder, 'r.html'));
    const text = await tab.locator('#work').innerText();
    for (const each of ['No risk was measured yet', 'no check was run yet', 'Nothing has happened here yet', 'has named a file yet'])
      assert.ok(text.includes(each), each);
    assert.equal(await tab.locator('svg').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('is readable in dark and light mode, and on a phone', async (t) => {
    const folder = await worked(t);
    snap(folder, 'report', 'r.html');
    for (const colorScheme of ['light', 'dark']) {
      const { tab } = await open(t, join(folder, 'r.html'), { colorScheme });
      const { value, text, paper } = await tab.evaluate(contrast, 'svg');
      assert.ok(value >= 4.5, `${colorScheme}: ${value.toFixed(2)} at "${text}"`);
      assert.equal(paper > 0.5, colorScheme === 'light', colorScheme);
      for (const width of [320, 390]) {
        await tab.setViewportSize({ width, height: 800 });
        for (const each of ['html', '#work']) {
          const wide = await tab.evaluate((name) => document.querySelector(name).scrollWidth, each);
          assert.ok(wide <= width, `${each}: ${wide} of ${width} pixels`);
        }
      }
    }
  });
});
