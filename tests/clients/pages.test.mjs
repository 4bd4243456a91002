// Tests build/docs in a real browser, opened from disk, as a reader uses it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

import { contrast } from './contrast.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const docs = join(resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build')), 'docs');
const program = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path));

const files = (ending) =>
  readdirSync(docs, { recursive: true })
    .filter((path) => path.endsWith(ending))
    .sort();
const address = (page) => pathToFileURL(join(docs, page)).href;

describe('the reference pages as files', () => {
  test('there is a page for every schema file, in both forms', () => {
    const schemas = readdirSync(join(root, 'schemas'), { recursive: true }).filter(
      (path) => path.endsWith('.json') && !path.startsWith('meta/') && path !== 'profiles.json');
    for (const each of schemas)
      for (const page of [each.replace(/json$/, 'html'), `markdown/${each.replace(/json$/, 'md')}`])
        assert.ok(existsSync(join(docs, page)), page);
  });

  test('every link has an existing target', () => {
    const texts = new Map(files('.html').map((path) => [path, readFileSync(join(docs, path), 'utf8')]));
    const places = new Map([...texts].map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));
    let links = 0;
    for (const [path, text] of texts) {
      for (const [, href] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^(https?|data):/.test(href)) continue;
        const [file, place] = href.split('#');
        const target = file ? relative(docs, resolve(docs, dirname(path), file)) : path;
        assert.ok(existsSync(join(docs, target)), `${path}: ${href}`);
        if (place) assert.ok(places.get(target)?.has(place), `${path}: ${href}`);
        ++links;
      }
    }
    assert.ok(links > 1000, String(links));
  });

  test('no page has the same element id twice', () => {
    for (const path of files('.html')) {
      const ids = [...readFileSync(join(docs, path), 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${path}: ${ids.filter((id, i) => ids.indexOf(id) !== i)}`);
    }
  });

  test('the tools that send commands to a browser have the rate limit of the bridge', () => {
    const read = (name) => JSON.parse(readFileSync(join(root, 'schemas/bridge', name), 'utf8'));
    const { max_commands_per_minute: rate, burst_allowance: burst } = read('bridge_limits.json').properties.rate_limit.properties;
    const tools = readdirSync(join(root, 'schemas/bridge')).filter((name) => name.endsWith('.json') && read(name)['x-snapgen']?.errors?.includes('RATE_LIMIT'));
    assert.equal(tools.length, 9);
    for (const name of tools)
      assert.ok(readFileSync(join(docs, 'markdown/bridge', name.replace(/json$/, 'md')), 'utf8').includes(`[${rate.default} a minute to one browser, ${burst.default} at once](bridge_limits.md)`), name);
  });

  test('every link of the Markdown pages has an existing target', () => {
    for (const path of files('.md')) {
      const text = readFileSync(join(docs, path), 'utf8').replace(/```[^]*?```/g, '');
      for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(href)) continue;
        const [file, place] = href.split('#');
        const target = file ? join(docs, dirname(path), file) : join(docs, path);
        assert.ok(existsSync(target), `${path}: ${href}`);
        if (place) assert.ok(readFileSync(target, 'utf8').includes(`<a id="${place}">`), `${path}: ${href}`);
      }
    }
  });
});

describe('the reference pages in a browser', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  let browser;
  before(async () => {
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
  });
  after(() => browser?.close());

  // Opens a page, and collects all errors that the browser reports.
  async function open(t, page, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    t.after(() => context.close());
    const tab = await context.newPage();
    const complaints = [];
    tab.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await tab.goto(address(page));
    return { tab, context, complaints };
  }

  // The generated pages are similar: the test uses the longest page of each folder, and every eighth of the others.
  const sample = (pages) => {
    if (process.env.SNAPGEN_SOAK || dirname(pages[0]) === '.' || pages.length < 20) return pages;
    const longest = pages.toSorted((a, b) => statSync(join(docs, b)).size - statSync(join(docs, a)).size)[0];
    return pages.filter((page, i) => i % 8 === 0 || page === longest);
  };
  const folders = existsSync(docs) ? [...new Set(files('.html').map((path) => dirname(path)))] : [];
  for (const folder of folders) test(`the pages of ${folder} have no browser errors, ordered headings, and no element wider than a phone`, async (t) => {
    // Each page is loaded once, at the width of a phone: a change of the width takes longer than all that is measured here.
    const [width, ...wider] = process.env.SNAPGEN_SOAK ? [320, 390, 1280] : [320];
    const pages = sample(files('.html').filter((path) => dirname(path) === folder));
    const { tab, complaints } = await open(t, pages[0], { viewport: { width, height: 800 } });
    const fits = async (page, limit) => {
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= limit, `${page}: ${wide} of ${limit} pixels`);
    };
    for (const page of pages) {
      if (page !== pages[0]) await tab.goto(address(page));
      const { levels, marks } = await tab.evaluate(() => ({
        levels: [...document.querySelectorAll('article :is(h1, h2, h3, h4)')].map((each) => Number(each.tagName[1])),
        marks: document.querySelectorAll('main, nav, header.bar').length,
      }));
      assert.equal(marks, 3, page);
      assert.equal(levels.filter((level) => level === 1).length, 1, page);
      levels.forEach((level, i) => assert.ok(i === 0 ? level === 1 : level <= levels[i - 1] + 1, `${page}: ${levels}`));
      await fits(page, width);
      for (const other of wider) {
        await tab.setViewportSize({ width: other, height: 800 });
        await fits(page, other);
      }
      if (wider.length > 0) await tab.setViewportSize({ width, height: 800 });
    }
    assert.deepEqual(complaints, []);
  });

  test('search finds a tool by either name and opens its page', async (t) => {
    const { tab } = await open(t, 'index.html');
    for (const name of ['snapshot.grep', 'snapshot_grep', 'SNAPSHOT.GR']) {
      await tab.goto(address('mcp/icon.html'));
      await tab.keyboard.press('/');
      await tab.keyboard.type(name);
      await tab.locator('#found [role=option]').first().waitFor();
      assert.equal(await tab.locator('#found [aria-selected=true] b').textContent(), 'snapshot.grep', name);
      await Promise.all([tab.waitForURL(/substrate\/snapshot_grep\.html$/), tab.keyboard.press('Enter')]);
      assert.equal(await tab.locator('h1').textContent(), 'Search files');
    }
  });

  test('search finds a tool by words of its description, and by a member', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_info.html');
    const input = tab.locator('#search');
    for (const [words, expected] of [['regular expression', 'snapshot.grep'], ['plain text', 'snapshot.grep'], ['max_bytes', 'snapshot.file'], ['fingerprint git write-tree', 'Fingerprint'], ['Branded<string, "MessageId">', 'MessageId'], ['snap bridge pair', 'Bridge'], ['service worker', 'Bridge']]) {
      await input.fill(words);
      assert.ok((await tab.locator('#found [role=option] b').allTextContents()).includes(expected), words);
    }
    await input.fill('zzzz');
    assert.equal(await tab.locator('#found').innerText(), 'Nothing found.');
    await input.press('Escape');
    assert.equal(await input.inputValue(), '');
    assert.ok(await tab.locator('#found').isHidden());
  });

  test('search finds constants and members first where they are defined, and the words of names', async (t) => {
    const { tab } = await open(t, 'index.html');
    for (const [words, first] of [
      ['project_modified', 'BridgeEventType'], ['MEMORY_LIMIT', 'CommandError'], ['TOKEN_EXPIRED', 'BridgeConnectError'], ['message size', 'BridgeLimits'],
      ['max_scripts_per_command', 'BridgeLimits'], ['read_project', 'ReadProjectCommand'], ['bridge read project', 'bridge.read_project'],
      ['ReadProjectResult', 'ReadProjectCommand'], ['isReadProjectResult', 'ReadProjectCommand'], ['parseBridgeServerMessage', 'BridgeServerMessage'], ['ToolOutputs', 'Tools'],
    ]) {
      await tab.locator('#search').fill(words);
      assert.equal(await tab.locator('#found [role=option] b').first().textContent(), first, words);
    }
  });

  test('search finds pages with a whole name before pages with its words', async (t) => {
    const { tab } = await open(t, 'index.html');
    for (const [name, pages] of [['CommandResults', ['Authors', 'Bridge']], ['SnapgenBridge', ['Bridge']], ['InvalidValue', ['Tools']], ['SNAP_MCP_SECRET_KEY', ['Bridge', 'Security', 'Settings']]]) {
      await tab.locator('#search').fill(name);
      const found = await tab.locator('#found [role=option] b').allTextContents();
      assert.deepEqual(found.slice(0, pages.length).sort(), pages, name);
    }
  });

  test('a page shows the examples of each type', async (t) => {
    const { tab } = await open(t, 'bridge/inspect_state.html');
    const samples = await tab.locator('#InspectStateResult ~ figure code').allTextContents();
    assert.ok(samples.some((text) => 'sprite_info' in JSON.parse(text)) && samples.some((text) => 'blocks_found' in JSON.parse(text)), samples.join());
  });

  test('the table of contents is beside the text, or folded under the title', async (t) => {
    const { tab } = await open(t, 'bridge.html', { viewport: { width: 1200, height: 800 } });
    const titles = ['Install the extension', 'Let a model build a script', 'Start it', 'A connection', 'When a connection breaks', 'Refusals', 'Who may connect', 'Limits', 'Pages and programs at the port', 'A client', 'Tools', 'Messages'];
    assert.deepEqual(await tab.locator('.contents a').allInnerTexts(), titles);
    assert.deepEqual(await tab.locator('article h2').allInnerTexts(), titles);
    assert.ok(await tab.locator('.folded').isHidden());
    await tab.setViewportSize({ width: 390, height: 800 });
    assert.ok(await tab.locator('.contents').isHidden());
    const [title, folded, text] = await Promise.all(['h1', '.folded', '.lead'].map((each) => tab.locator(each).boundingBox()));
    assert.ok(title.y + title.height <= folded.y && folded.y + folded.height <= text.y);
    const link = tab.locator('.folded').getByRole('link', { name: 'Limits' });
    assert.ok(await link.isHidden());
    await tab.locator('.folded summary').click();
    await link.click();
    assert.match(tab.url(), /#limits$/);
  });

  for (const width of [1200, 320]) test(`names break only between their words, ${width} pixels wide`, async (t) => {
    const { tab } = await open(t, 'bridge/bridge_limits.html', { viewport: { width, height: 800 } });
    let broken = 0;
    for (const page of ['bridge/bridge_limits.html', 'bridge/create_custom_block.html', 'bridge.html']) {
      await tab.goto(address(page));
      const { parts, lines } = await tab.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const found = { parts: [], lines: 0 };
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const name = node.parentElement.closest('.fields dt code, .navigation a, .entry code, .names code');
          if (!name || node.data.includes(' ')) continue;
          range.selectNodeContents(node);
          if (range.getClientRects().length > 1) found.parts.push(node.data);
          range.selectNodeContents(name);
          found.lines += new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? 1 : 0;
        }
        return found;
      });
      assert.deepEqual(parts, [], page);
      broken += lines;
    }
    assert.ok(width === 320 || broken > 0, 'no name was too long for its line');
  });

  test('arrow keys select a search result, and screen readers announce it', async (t) => {
    const { tab } = await open(t, 'index.html');
    const input = tab.locator('#search');
    await input.fill('snapshot');
    assert.equal(await input.getAttribute('aria-expanded'), 'true');
    assert.equal(await input.getAttribute('aria-activedescendant'), 'found-0');
    await input.press('ArrowDown');
    assert.equal(await input.getAttribute('aria-activedescendant'), 'found-1');
    await input.press('ArrowUp');
    await input.press('ArrowUp');
    const count = await tab.locator('#found [role=option]').count();
    assert.equal(await input.getAttribute('aria-activedescendant'), `found-${count - 1}`);
  });

  test('search terms are escaped', async (t) => {
    const { tab, complaints } = await open(t, 'index.html');
    await tab.locator('#search').fill('<img src=x onerror=alert(1)>');
    assert.equal(await tab.locator('#found img').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('a copy button copies exactly the shown text', async (t) => {
    const { tab, context } = await open(t, 'substrate/snapshot_create.html');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
    const pasted = async () => {
      await tab.evaluate(() => {
        const area = document.createElement('textarea');
        area.id = 'pasted';
        document.body.append(area);
        area.focus();
      });
      await tab.keyboard.press('Control+V');
      const text = await tab.locator('#pasted').inputValue();
      await tab.evaluate(() => document.getElementById('pasted').remove());
      return text;
    };
    // The browser fills the clipboard after the click event has ended: paste until the text is new.
    const copy = async (button) => {
      const before = await pasted();
      await button.click();
      const deadline = Date.now() + 20_000;
      let text = before;
      while (text === before && Date.now() < deadline) text = await pasted();
      return text;
    };
    const button = tab.locator('figure', { hasText: 'The whole request' }).first().getByRole('button');
    const label = button.evaluate((element) => new Promise((resolve) => {
      new MutationObserver(() => resolve(element.textContent)).observe(element, { childList: true, characterData: true, subtree: true });
    }));
    const request = JSON.parse(await copy(button));
    assert.equal(await label, 'Copied');
    assert.equal(request.method, 'tools/call');
    assert.deepEqual(request.params, { name: 'snapshot_create', arguments: { paths: ['.'], message: 'before the refactoring' } });
    const other = tab.locator('figure', { hasText: 'Arguments' }).first().getByRole('button');
    assert.deepEqual(JSON.parse(await copy(other)), request.params.arguments);
    assert.equal(await copy(tab.getByRole('button', { name: 'snapshot.create', exact: true })), 'snapshot.create');
  });

  test('the lines that a tool returns are shown completely, field by field, and can be copied', async (t) => {
    const own = readdirSync(join(root, 'schemas/wire')).filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, schema: JSON.parse(readFileSync(join(root, 'schemas/wire', name), 'utf8')) }))
      .filter(({ schema }) => schema['x-snapgen']?.wire);
    assert.ok(own.length > 0);
    const { tab, complaints } = await open(t, `wire/${own[0].name.replace(/json$/, 'html')}`);
    for (const { name, schema } of own) {
      await tab.goto(address(`wire/${name.replace(/json$/, 'html')}`));
      const lines = schema['x-snapgen'].wire.lines.filter((line) => line.fields);
      for (const { name: line, title, code, fields } of lines) {
        const heading = tab.locator(`[id="line-${line}"]`);
        assert.match((await heading.textContent()).replace(/\s+/g, ' '), new RegExp(`${title}.*${code}`), `${name}: ${line}`);
        for (const field of fields) {
          const row = await tab.locator(`[id="line-${line}-${field.name}"]`).textContent();
          if (field.description) assert.ok(row.includes(field.description.split(/[;.`]/)[0]), `${name}: ${line}.${field.name}: ${row}`);
        }
      }
      const shapes = await tab.locator('figure', { hasText: 'Labeled' }).allInnerTexts();
      for (const { code } of lines) assert.ok(shapes.some((text) => text.includes(`🧢|${code}`)), `${name}: ${code}`);
      const buttons = tab.locator('figure', { hasText: 'Compact' }).getByRole('button');
      assert.equal(await buttons.count(), schema['x-snapgen'].wire.lines.length, `${name}: a copy button for each line`);
    }
    assert.deepEqual(complaints, []);
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`every text has enough contrast in the ${colorScheme} scheme`, async (t) => {
      const pages = ['index.html', 'guide.html', 'substrate.html', 'substrate/snapshot_create.html', 'common/path.html'];
      const { tab } = await open(t, pages[0], { colorScheme });
      for (const page of pages) {
        if (page !== pages[0]) await tab.goto(address(page));
        const { value, text, paper } = await tab.evaluate(contrast);
        assert.ok(value >= 4.5, `${page}: ${value.toFixed(2)} at "${text}"`);
        assert.equal(paper > 0.5, colorScheme === 'light', page);
      }
    });
  }

  test('the theme switch overrides the system, and its state is stored', async (t) => {
    const { tab } = await open(t, 'index.html', { colorScheme: 'light' });
    const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const button = tab.locator('#theme');
    const light = await paper();
    await button.click();
    assert.equal(await button.textContent(), 'Light');
    assert.equal(await paper(), light);
    await button.click();
    assert.equal(await button.getAttribute('aria-label'), 'Colours: dark');
    const dark = await paper();
    assert.notEqual(dark, light);
    await tab.goto(address('substrate.html'));
    assert.equal(await paper(), dark);
    await button.click();
    assert.equal(await paper(), light);
  });

  test('on a phone the menu opens and its links work', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_list.html', { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 390);
    assert.ok(await tab.locator('#navigation').isHidden());
    await tab.locator('#menu').tap();
    assert.ok(await tab.locator('#navigation').isVisible());
    await tab.locator('#navigation').getByRole('link', { name: 'snapshot.info' }).tap();
    await tab.waitForURL(/snapshot_info\.html$/);
  });

  test('the keyboard reaches the text first, and the focus is visible', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_file.html');
    await tab.keyboard.press('Tab');
    assert.equal(await tab.evaluate(() => document.activeElement.className), 'skip');
    await tab.keyboard.press('Enter');
    assert.equal(await tab.evaluate(() => document.activeElement.id), 'main');
    await tab.keyboard.press('Tab');
    const outline = await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid');
  });

  test('every control and image has a name', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_file.html');
    const nameless = await tab.evaluate(() =>
      [...document.querySelectorAll('a, button, input, summary, nav, aside, [role=listbox]')]
        .filter((each) => !(each.getAttribute('aria-label') ?? each.textContent).trim())
        .map((each) => each.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await tab.locator('html').getAttribute('lang'), 'en');
  });

  test('without JavaScript the whole page is readable', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_file.html', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    assert.ok(await tab.locator('#navigation').isVisible());
    assert.ok(await tab.locator('figure pre').first().isVisible());
    assert.ok(await tab.locator('#theme').isHidden());
  });

  test('the printed page contains only the text', async (t) => {
    const { tab } = await open(t, 'substrate/snapshot_file.html', { colorScheme: 'dark' });
    await tab.emulateMedia({ media: 'print' });
    for (const each of ['.bar', '#navigation', '.contents', 'figure button']) assert.ok(await tab.locator(each).first().isHidden(), each);
    assert.equal(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  });
});
