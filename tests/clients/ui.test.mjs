// `snap ui`: who may use its port, and its page in a real browser, while a server records the history; and the copy of the
// page that `snap report` saves.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { snap } from './commands.mjs';
import { contrast } from './contrast.mjs';
import { firstState, momentOf } from './moments.mjs';
import { openings } from './sdks.mjs';
import { repository } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';
import { browserTabs, program } from './tabs.mjs';

const hostile = '<img src=x onerror="document.title=1">';
const lines = (changed = {}) => Array.from({ length: 40 }, (_, i) => `${changed[i + 1] ?? `const line${i + 1} = ${i + 1};`}\n`).join('');

const server = sharedServer(openings[0]);

// Runs `snap ui` in a folder until the test ends. Returns its URL, and a function that ends it.
async function startUi(t, folder, ...words) {
  const child = spawn(snap, ['ui', '--no-open', '--workspace', folder, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  const stop = async (signal) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return { url, stop };
}

// Returns a workspace whose first state is recorded. `write` changes a file as another program does, and returns the
// moment; undefined deletes it.
async function recording(t) {
  const folder = server.repository(t, { 'src/a.js': lines(), 'b.txt': 'one\ntwo\nthree\n', '.snapback/.gitignore': '*\n' });
  const { call } = await server.connection(folder);
  await firstState(call);
  let latest = 'm0';
  const write = async (path, content) => {
    const isNew = !existsSync(join(folder, path));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content === undefined) rmSync(join(folder, path));
    else writeFileSync(join(folder, path), content);
    const { moment } = await momentOf(call, path, content === undefined ? 'deleted' : isNew ? 'created' : 'modified', latest);
    latest = moment;
    return moment;
  };
  // Reports a prompt after a change, with which the turn before ends. When that is listed, the server has taken the moment
  // of the prompt.
  const prompt = async (text) => {
    writeFileSync(join(folder, 'notes.txt'), `Before: ${text}\n`);
    execFileSync(snap, ['hook', 'claude'], { cwd: folder, input: JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: text, cwd: folder }) });
    latest = (await momentOf(call, 'notes.txt', 'modified', latest)).moment;
  };
  return { folder, write, prompt, content: (path) => readFileSync(join(folder, path), 'utf8') };
}

// Sends a request with any header fields. Resolves to the status, the fields and the body.
const request = (url, { method = 'GET', headers = {}, body } = {}) =>
  new Promise((done, fail) => {
    const sent = http.request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => { text += data; }).on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', fail).end(body);
  });

// Runs `snap ui` where it must fail. Returns what it prints on standard error.
function failure(folder, ...words) {
  const { status, stderr } = spawnSync(snap, ['ui', '--no-open', '--workspace', folder, ...words], { encoding: 'utf8', timeout: 20_000 });
  assert.equal(status, 1, stderr);
  return stderr;
}

describe('the port of snap ui', () => {
  test('answers only requests with the secret, which the token of the URL gets once', async (t) => {
    const { folder } = await recording(t);
    const { url } = await startUi(t, folder);
    const { origin, hostname, searchParams } = new URL(url);
    assert.equal(hostname, '127.0.0.1');
    const token = searchParams.get('token');
    assert.match(token, /^[0-9a-f]{64}$/);
    const post = (path, bearer, more = {}) => request(`${origin}/api/${path}`, { method: 'POST', body: '{}', headers: bearer ? { authorization: `Bearer ${bearer}`, ...more } : more });
    assert.equal((await post('history_list')).status, 401);
    assert.equal((await post('history_list', token)).status, 401, 'the token is not the secret');
    assert.equal((await post('session')).status, 401);
    assert.equal((await post('session', token.replace(/./g, '0'))).status, 401);
    const opened = await post('session', token);
    assert.equal(opened.status, 200);
    const { session, workspace } = JSON.parse(opened.text);
    assert.equal(workspace, folder);
    assert.notEqual(session, token);
    assert.equal((await post('session', token)).status, 401, 'a used token');
    assert.equal((await post('session', '')).status, 401);
    const listed = await post('history_list', session);
    assert.ok(JSON.parse(listed.text).oldest);
    for (const name of ['workspace_write_file', 'snapshot_list', '']) assert.equal((await post(name, session)).status, 404, name);
    assert.equal((await request(`${origin}/api/changes`)).status, 401);
    assert.equal((await request(`${origin}/api/history_list`, { headers: { authorization: `Bearer ${session}` } })).status, 405);
    assert.match((await post('history_diff', session)).text, /"code":"INVALID_ARGUMENT"/);
    assert.match((await request(`${origin}/api/history_diff`, { method: 'POST', body: '{"target":"m99"}', headers: { authorization: `Bearer ${session}` } })).text, /"code":"NOT_FOUND"/);
  });

  test('rejects other hosts and origins, and forbids pages everything but itself', async (t) => {
    const { folder } = await recording(t);
    const { url } = await startUi(t, folder);
    const { origin, port } = new URL(url);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '[::2]']) assert.equal((await request(origin, { headers: { host } })).status, 403, host);
    for (const each of ['https://evil.example', 'null', 'http://127.0.0.1:1', `http://localhost:${port}`, `https://127.0.0.1:${port}`])
      assert.equal((await request(origin, { headers: { origin: each } })).status, 403, each);
    for (const path of ['/', '/ui.js', '/ui.css', '/unknown']) {
      const { status, headers } = await request(origin + path, { headers: { origin } });
      assert.equal(status, path === '/unknown' ? 404 : 200);
      const policy = headers['content-security-policy'];
      for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), policy);
      assert.ok(!policy.includes('unsafe'), policy);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  test('returns the diff of each file, or why there is none', async (t) => {
    const { folder, write } = await recording(t);
    const { url } = await startUi(t, folder);
    const { origin, searchParams } = new URL(url);
    const post = async (path, bearer, body) => JSON.parse((await request(`${origin}/api/${path}`, { method: 'POST', body: JSON.stringify(body), headers: { authorization: `Bearer ${bearer}` } })).text);
    const { session } = await post('session', searchParams.get('token'), {});
    const diff = async (body) => (await post('history_diff', session, body)).files;
    const text = await write('b.txt', 'one\nzwei\nthree\n');
    const [{ diff: shown, ...rest }] = await diff({ target: text });
    assert.deepEqual(rest, { added: 1, by: ['outside'], change: 'modified', path: 'b.txt', removed: 1 });
    assert.match(shown, /^diff --git a\/b\.txt b\/b\.txt\n[^]*@@ -1,3 \+1,3 @@\n one\n-two\n\+zwei\n three\n$/);
    assert.match((await diff({ target: text, context: 0 }))[0].diff, /@@ -2 \+2 @@ one\n-two\n\+zwei\n$/);
    assert.deepEqual(await diff({ target: text, paths: ['src'] }), []);
    assert.deepEqual(await diff({ target: text, max_bytes: 10 }), [{ ...rest, omitted: 'too_long' }]);
    const latin = await write('latin.txt', Buffer.from('gr\xfc\xdfe\n', 'latin1'));
    assert.match((await diff({ target: latin }))[0].diff, /\n\+grüße\n$/);
    const binary = await write('data.bin', Buffer.from([0, 1, 2]));
    assert.deepEqual(await diff({ target: binary }), [{ added: 0, by: ['outside'], change: 'created', omitted: 'binary', path: 'data.bin', removed: 0 }]);
    chmodSync(join(folder, 'b.txt'), 0o755);
    const deleted = await write('data.bin');
    const turn = await diff({ target: 't1' });
    assert.deepEqual(turn.map(({ path, change, by }) => [path, change, by]), [['b.txt', 'modified', ['outside']], ['latin.txt', 'created', ['outside']]], 'a file that was created and deleted in the turn does not differ');
    assert.match(turn[0].diff, /\nold mode 100644\nnew mode 100755\n/);
    assert.equal((await diff({ target: deleted })).find(({ path }) => path === 'data.bin').change, 'deleted');
  });

  test('ends at SIGINT and SIGTERM with 0, also while a page waits for changes', async (t) => {
    const { folder } = await recording(t);
    for (const signal of ['SIGINT', 'SIGTERM']) {
      const { url, stop } = await startUi(t, folder);
      const { origin, searchParams } = new URL(url);
      const { text } = await request(`${origin}/api/session`, { method: 'POST', headers: { authorization: `Bearer ${searchParams.get('token')}` } });
      const waiting = await fetch(`${origin}/api/changes`, { headers: { authorization: `Bearer ${JSON.parse(text).session}` } });
      assert.equal(waiting.status, 200);
      assert.equal(await stop(signal), 0);
      assert.equal(await waiting.text(), '');
    }
  });

  test('does not open if the history is off, or the port is in use', async (t) => {
    const folder = repository(t, { 'a.txt': 'a\n', '.snapback/config.json': '{"history":{"mode":"off"}}' });
    assert.match(failure(folder), /The history is off/);
    writeFileSync(join(folder, '.snapback/config.json'), '{}');
    const { url } = await startUi(t, folder);
    assert.match(failure(folder, '--port', new URL(url).port), /cannot listen on 127\.0\.0\.1/);
  });
});

describe('the page of snap ui', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  const openTab = browserTabs();
  const open = (t, url, options = {}) => openTab(t, url, { viewport: { width: 1280, height: 800 }, ...options });
  const recorded = async (t, options) => {
    const workspace = await recording(t);
    await workspace.write('notes.txt', 'The work tree is watched from now on.\n');
    await workspace.prompt(`Rename a line. ${hostile}`);
    const first = await workspace.write('src/a.js', lines({ 20: 'const renamed = 20;' }));
    const second = await workspace.write(`${hostile.replaceAll('/', '')}.txt`, '<b>bold</b>\n');
    const { url, stop } = await startUi(t, workspace.folder);
    const page = await open(t, url, options);
    await page.tab.locator('.file').first().waitFor({ state: 'attached' });
    return { ...workspace, ...page, url, stop, first, second, turn: page.tab.locator('.turn').first() };
  };
  const detail = (tab) => tab.locator('#detail');
  const applied = (tab, name) => tab.locator('#preview').getByRole('button', { name, exact: true }).click();

  test('shows turns, moments, diffs and what made each change, and sends no request to elsewhere', async (t) => {
    const { tab, turn, folder, complaints, asked, url, first } = await recorded(t);
    assert.equal(await tab.title(), `${folder.slice(folder.lastIndexOf('/') + 1)} · snapgen history`);
    assert.ok((await turn.innerText()).includes(`Rename a line. ${hostile}`));
    assert.ok((await turn.innerText()).includes('claude'));
    assert.deepEqual(await tab.locator('.moment').count(), 2);
    const section = detail(tab).locator('.file').filter({ hasText: 'a.js' });
    assert.equal(await section.locator('.author').innerText(), 'outside');
    assert.deepEqual(await section.locator('td.removed.code').allInnerTexts(), ['const line20 = 20;']);
    assert.deepEqual(await section.locator('td.added.code .word').allInnerTexts(), ['renamed']);
    assert.equal(await section.locator('td.added .keyword').innerText(), 'const');
    await tab.locator('.moment').last().click();
    await detail(tab).getByRole('heading', { name: `Moment ${first}` }).waitFor();
    assert.equal(await detail(tab).locator('.file').count(), 1);
    assert.equal(await tab.locator('img, iframe, td b').count(), 0, 'texts are not markup');
    assert.deepEqual(complaints, []);
    assert.ok(asked.length > 0 && asked.every((each) => each.startsWith(new URL(url).origin)), asked.join('\n'));
    assert.ok(!tab.url().includes('token'));
  });

  test('survives a reload and works in a second tab, but not in another browser', async (t) => {
    const { tab, context, url } = await recorded(t);
    const { hash } = new URL(tab.url());
    await tab.reload();
    await tab.locator('.file').first().waitFor();
    assert.equal(new URL(tab.url()).hash, hash);
    const second = await context.newPage();
    await second.goto(new URL(url).origin);
    await second.locator('.file').first().waitFor();
    const { tab: other } = await open(t, url);
    await other.getByText('This link cannot be used.').waitFor();
    assert.equal(await other.locator('.turn').count(), 0);
  });

  test('shows diffs inline or side by side, and unfolds unchanged lines', async (t) => {
    const { tab } = await recorded(t);
    const section = detail(tab).locator('.file').filter({ hasText: 'a.js' });
    assert.equal(await section.locator('table.side').count(), 1);
    await tab.getByRole('button', { name: 'Inline' }).click();
    assert.deepEqual(await section.locator('table.inline tr:not(.fold)').count(), 8, 'three lines around two changed ones');
    await section.getByRole('button', { name: 'Show 16 unchanged lines' }).click();
    await section.getByText('const line1 = 1;', { exact: true }).waitFor();
    await section.getByRole('button', { name: /Show \d+ unchanged lines/ }).click();
    await section.getByText('const line40 = 40;', { exact: true }).waitFor();
    assert.equal(await section.locator('tr').count(), 41);
    await tab.reload();
    await tab.locator('table.inline').first().waitFor();
  });

  test('undoes a turn after a preview, and takes the undo back', async (t) => {
    const { tab, content } = await recorded(t);
    const undo = detail(tab).locator('.heading').getByRole('button', { name: 'Undo …' });
    await undo.click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByText('2 files').waitFor();
    await tab.keyboard.press('Escape');
    assert.ok(await dialog.isHidden());
    assert.match(content('src/a.js'), /renamed/, 'a preview changes nothing');
    await undo.click();
    await applied(tab, 'Undo');
    await tab.getByText('Undone in 2 files.').waitFor();
    assert.equal(content('src/a.js'), lines());
    await tab.getByRole('button', { name: 'Take back' }).click();
    await applied(tab, 'Undo');
    await dialog.waitFor({ state: 'hidden' });
    await tab.getByText('Undone in 2 files.').waitFor();
    assert.match(content('src/a.js'), /renamed/);
  });

  test('lists conflicts, and undoes the rest if the user asks for it', async (t) => {
    const { tab, write, content } = await recorded(t);
    const both = await write('src/a.js', lines({ 5: 'const five = 5;', 20: 'const twenty = 20;' }));
    await write('src/a.js', lines({ 5: 'const five = 5;', 20: 'const again = 20;' }));
    await tab.locator(`[data-id=${both}]`).click();
    await detail(tab).getByRole('heading', { name: `Moment ${both}` }).waitFor();
    await detail(tab).locator('.heading').getByRole('button', { name: 'Undo …' }).click();
    const conflicts = tab.locator('.conflicts');
    await conflicts.waitFor();
    assert.match(await conflicts.innerText(), /src\/a\.js lines 20/);
    await applied(tab, 'Undo without the conflicts');
    await tab.getByText('Undone in 1 file.').waitFor();
    assert.equal(content('src/a.js'), lines({ 20: 'const again = 20;' }));
  });

  test('shows the moments of one file, and rewinds it', async (t) => {
    const { tab, write, content } = await recorded(t);
    const third = await write('src/a.js', lines({ 20: 'const renamed = 20;', 30: 'const other = 30;' }));
    await detail(tab).locator('.file').filter({ hasText: 'a.js' }).getByRole('button', { name: 'History' }).click();
    const slider = tab.getByRole('slider', { name: 'Moment' });
    await slider.waitFor();
    assert.equal(await slider.getAttribute('aria-valuetext'), `${third}, 2 of 2`);
    await slider.press('ArrowLeft');
    await detail(tab).getByText('1 of 2', { exact: true }).waitFor();
    await detail(tab).locator('td.added').getByText('renamed').waitFor();
    await detail(tab).getByRole('button', { name: 'Rewind the file to before …' }).click();
    const foreign = tab.locator('.foreign');
    await foreign.waitFor();
    assert.match(await foreign.innerText(), /src\/a\.js lines 20, 30/);
    await applied(tab, 'Rewind');
    await tab.getByText('Rewound in 1 file.').waitFor();
    assert.equal(content('src/a.js'), lines());
  });

  test('shows what happens meanwhile, without a reload', async (t) => {
    const { tab, write, prompt, complaints } = await recorded(t);
    assert.equal(await tab.locator('#live').innerText(), 'Live');
    await write('b.txt', 'one\n');
    await detail(tab).locator('.file').filter({ hasText: 'b.txt' }).waitFor();
    await prompt('A second prompt');
    await write('b.txt', undefined);
    await tab.locator('.turn').filter({ hasText: 'A second prompt' }).waitFor();
    assert.equal(await tab.getByRole('treeitem', { selected: true }).locator('.prompt').innerText(), `Rename a line. ${hostile}`, 'the selection is unchanged');
    assert.deepEqual(complaints, []);
  });

  test('says that the server has ended', async (t) => {
    const { tab, stop } = await recorded(t);
    await stop('SIGTERM');
    await tab.getByText('snap ui has ended.').waitFor();
    assert.equal(await tab.locator('#live').innerText(), 'Not connected');
  });

  test('can be used with the keyboard alone', async (t) => {
    const { tab, first, second } = await recorded(t);
    const focused = () => tab.evaluate(() => document.activeElement.dataset.id ?? document.activeElement.id);
    await tab.locator('.turn').first().focus();
    await tab.keyboard.press('ArrowDown');
    assert.equal(await focused(), second);
    await tab.keyboard.press('ArrowDown');
    assert.equal(await focused(), first);
    await detail(tab).getByRole('heading', { name: `Moment ${first}` }).waitFor();
    assert.equal(await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
    await tab.keyboard.press('Enter');
    assert.equal(await focused(), 'detail');
    await tab.keyboard.press('Escape');
    assert.equal(await focused(), first);
    await tab.keyboard.press('ArrowLeft');
    await tab.keyboard.press('ArrowLeft');
    assert.equal(await tab.locator('.moment').count(), 0, 'the turn is collapsed');
    await tab.keyboard.press('ArrowRight');
    assert.equal(await tab.locator('.moment').count(), 2);
    const nameless = await tab.evaluate(() => [...document.querySelectorAll('button, input, [role=treeitem], [role=tree], nav, dialog')]
      .filter((each) => !(each.getAttribute('aria-label') ?? each.getAttribute('aria-labelledby') ?? each.textContent).trim()).map((each) => each.outerHTML));
    assert.deepEqual(nameless, []);
  });

  test('filters by file or folder', async (t) => {
    const { tab } = await recorded(t);
    const input = tab.getByRole('searchbox');
    await input.fill('src');
    await input.press('Enter');
    await tab.locator('.file').filter({ hasText: 'a.js' }).waitFor();
    await tab.waitForFunction(() => document.querySelectorAll('.file').length === 1);
    assert.equal(await tab.locator('.turn').count(), 1);
    await input.fill('nothing/here');
    await input.press('Enter');
    await tab.getByText('No recorded change of nothing/here.').waitFor();
    await input.fill('../outside');
    await input.press('Enter');
    await tab.getByRole('alert').waitFor();
    await input.fill('');
    await input.press('Enter');
    await tab.locator('.file').nth(1).waitFor();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`fits 320 pixels, and every text has enough contrast, in the ${colorScheme} scheme`, async (t) => {
      const { tab, turn } = await recorded(t, { colorScheme, viewport: { width: 1280, height: 800 } });
      const readable = async () => {
        const { value, text, paper } = await tab.evaluate(contrast);
        assert.ok(value >= 4.5, `${value.toFixed(2)} at "${text}"`);
        assert.equal(paper > 0.5, colorScheme === 'light');
      };
      const fits = async () =>
        assert.deepEqual(await tab.evaluate(() => ['html', 'main', '#timeline', '#detail', '#preview'].filter((each) => document.querySelector(each).scrollWidth > 320)), []);
      await readable();
      await tab.setViewportSize({ width: 320, height: 700 });
      await detail(tab).getByRole('button', { name: '← Timeline' }).click();
      assert.ok(await detail(tab).isHidden());
      await fits();
      await turn.click();
      await tab.locator('.file').first().waitFor();
      assert.ok(await tab.locator('#timeline').isHidden());
      await fits();
      await detail(tab).locator('.heading').getByRole('button', { name: 'Undo …' }).click();
      await tab.locator('.plan .files').waitFor();
      await fits();
      await readable();
    });
  }

  test('shows the work, and returns to the changes', async (t) => {
    const { tab, folder, complaints } = await recorded(t);
    const { hash } = new URL(tab.url());
    execFileSync(snap, ['session', 'start', hostile], { cwd: folder });
    await tab.getByRole('button', { name: 'Work' }).click();
    await tab.getByRole('heading', { name: 'Tasks and checks' }).waitFor();
    assert.ok((await tab.locator('#tasks tbody').innerText()).startsWith(hostile));
    assert.ok(await tab.locator('main').isHidden());
    await tab.reload();
    await tab.locator('#events .event').first().waitFor();
    await tab.getByRole('button', { name: 'Changes' }).click();
    await tab.locator('.file').first().waitFor();
    assert.equal(new URL(tab.url()).hash, hash);
    assert.deepEqual(complaints, []);
  });

  test('has a sentence for an empty history', async (t) => {
    const { folder } = await recording(t);
    const { url } = await startUi(t, folder);
    const { tab, complaints } = await open(t, url);
    await tab.getByText('No file has changed since').waitFor();
    assert.deepEqual(complaints, []);
  });
});

describe('the page that snap report saves', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  const openTab = browserTabs();
  const evil = `</script><script>document.title=1</script>${hostile}`;
  const evilFile = `${evil}.txt`;

  // Saves the page of the workspace outside of it, and opens it.
  const saved = async (t, folder, options) => {
    const report = `${folder}.html`;
    t.after(() => rmSync(report));
    execFileSync(snap, ['report', report], { cwd: folder });
    const { href } = pathToFileURL(report);
    return { href, text: readFileSync(report, 'utf8'), ...(await openTab(t, href, { viewport: { width: 1280, height: 800 }, ...options })) };
  };
  // One workspace for the tests that only read its page.
  let workspace;
  const hooks = [];
  before(async () => {
    const { folder, write, prompt } = await recording({ after: (hook) => hooks.push(hook) });
    await write('notes.txt', 'The work tree is watched from now on.\n');
    await prompt(evil);
    const first = await write('src/a.js', lines({ 20: 'const renamed = 20;' }));
    const second = await write(evilFile, `${evil}\n`);
    execFileSync(snap, ['session', 'start', evil], { cwd: folder });
    spawnSync(snap, ['check', 'quick'], { cwd: folder });
    workspace = { folder, first, second };
  });
  after(() => hooks.forEach((hook) => hook()));

  test('shows the changes and the work from the disk without a request, and runs nothing of their texts', async (t) => {
    const { folder, first } = workspace;
    const { tab, text, href, complaints, asked } = await saved(t, folder);
    assert.equal(await tab.locator('.turn').first().locator('.prompt').innerText(), evil);
    const detail = tab.locator('#detail');
    const section = detail.locator('.file').filter({ hasText: 'a.js' });
    assert.deepEqual(await section.locator('td.added.code .word').allInnerTexts(), ['renamed']);
    assert.deepEqual(await detail.locator('.file').filter({ hasText: 'onerror' }).locator('td.added.code').allInnerTexts(), [evil]);
    await tab.locator(`[data-id=${first}]`).click();
    await detail.getByRole('heading', { name: `Moment ${first}` }).waitFor();
    assert.equal(await detail.locator('.file').count(), 1);
    await detail.getByRole('button', { name: 'History' }).click();
    await detail.getByText('1 of 1', { exact: true }).waitFor();
    assert.equal(await section.locator('td.added.code').innerText(), 'const renamed = 20;');
    assert.equal(await tab.getByRole('button', { name: /Undo|Rewind|Show \d+ unchanged/ }).count(), 0);
    await tab.getByRole('searchbox').fill('src/');
    await tab.getByRole('searchbox').press('Enter');
    await tab.waitForFunction(() => document.querySelectorAll('.file').length === 1);
    await tab.getByRole('button', { name: 'Work' }).click();
    assert.match(await tab.locator('#tasks tbody').innerText(), /open/);
    assert.ok((await tab.locator('#risk .dot').count()) > 0);
    assert.equal(await tab.locator('.event[data-kind=check]').count(), 1);
    assert.equal(await tab.locator('img, iframe').count(), 0);
    assert.equal(await tab.title(), `${folder.slice(folder.lastIndexOf('/') + 1)} · snapgen history`);
    assert.deepEqual(complaints, []);
    assert.deepEqual(asked, [href]);
    assert.equal(execFileSync(snap, ['report', '-'], { cwd: folder, encoding: 'utf8' }), text, 'the same state gives the same bytes');
    await tab.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => {}));
    assert.match(complaints.join('\n'), /violates the following Content Security Policy directive/);
  });

  test('can be used with the keyboard alone', async (t) => {
    const { folder, first, second } = workspace;
    const { tab } = await saved(t, folder);
    const focused = () => tab.evaluate(() => document.activeElement.dataset.id ?? document.activeElement.id);
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    assert.equal(await focused(), 'show-work');
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'In short' }).waitFor();
    assert.equal(await focused(), 'work');
    await tab.keyboard.press('Shift+Tab');
    await tab.keyboard.press('Shift+Tab');
    await tab.keyboard.press('Enter');
    await tab.locator('.file').first().waitFor();
    await tab.locator('.turn').first().focus();
    await tab.keyboard.press('ArrowDown');
    assert.equal(await focused(), second);
    await tab.keyboard.press('ArrowDown');
    await tab.locator('#detail').getByRole('heading', { name: `Moment ${first}` }).waitFor();
    await tab.keyboard.press('Enter');
    assert.equal(await focused(), 'detail');
    await tab.keyboard.press('Escape');
    assert.equal(await focused(), first);
  });

  test('leaves out the diffs that do not fit, names them, and hides likely secrets', async (t) => {
    const { folder, write } = await recording(t);
    const quotes = 'x"""""""""""""""""""""""""""""""""""""""""""""""""\n'.repeat(19_000);
    const large = await write('large.txt', quotes);
    await write('larger.txt', quotes);
    await write('.env', `TOKEN=ghp_${'a1B2'.repeat(9)}\n`);
    const { tab, text } = await saved(t, folder);
    assert.ok(text.length < 5 << 20);
    assert.ok(!text.includes('a1B2') && text.includes('[redacted]'));
    await tab.getByText(`This copy has no diffs of ${large} and of what is before it.`).waitFor();
    await tab.locator(`[data-id=${large}]`).click();
    await tab.getByRole('alert').getByText(`This copy has no diff of ${large}`).waitFor();
  });

  test('shows the work, and why there are no changes, if the history is off', async (t) => {
    const folder = server.repository(t, { 'a.txt': 'a\n', '.snapback/config.json': '{"history":{"mode":"off"}}' });
    const { tab, complaints } = await saved(t, folder);
    await tab.getByRole('heading', { name: 'In short' }).waitFor();
    await tab.getByRole('button', { name: 'Changes' }).click();
    await tab.getByText('The history is off').waitFor();
    assert.deepEqual(complaints, []);
  });
});
