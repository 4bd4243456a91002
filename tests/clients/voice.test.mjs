// Checks terminology: all texts of this project for models and people use one term for each thing, and name tools as
// they are listed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { build, root } from './judge.mjs';
import { connect, openings } from './sdks.mjs';
import { remove, repository, snapgen } from './servers.mjs';

// The term for each thing, and the words that must not be used instead.
const glossary = {
  'work tree': ['working tree', 'working copy', 'working directory', 'live tree', 'live work tree'],
  workspace: ['workspace root', 'project root', 'repository root', 'repo root'],
  folder: ['directory'],
  symlink: ['symbolic link', 'soft link'],
  host: ['AI assistant', 'AI agent', 'LLM'],
  'without what git ignores': ['gitignored'],
  cannot: ["can't", "doesn't", "isn't", "won't", "don't"],
  'for example': ['e.g.', 'i.e.'],
  '': ['please', 'simply', 'just call', 'note that', 'in order to'],
};
const never = Object.values(glossary).flat().map((words) => new RegExp(`(?<![\\w-])${words.replaceAll('.', '\\.')}(?![\\w])`, 'i'));

// Matches text that the project does not choose: code, paths, options and addresses.
const prose = (text) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '').replace(/\S*[/\\]\S*/g, '').replace(/%\S+%|--[\w-]+/g, '');

function check(where, text) {
  for (const word of never) {
    const found = word.exec(prose(text));
    assert.ok(!found, `${where} has the word "${found?.[0]}": …${prose(text).slice(Math.max(0, (found?.index ?? 0) - 60), (found?.index ?? 0) + 60)}…`);
  }
}

// Yields every text that a person or model reads, with its path in the value.
function* texts(value, path = '') {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (['description', 'title', 'instructions'].includes(key) && typeof inner === 'string') yield [`${path}/${key}`, inner];
    else yield* texts(inner, `${path}/${inner?.name ?? key}`);
  }
}

const filesBelow = (folder, ending) =>
  readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((name) => statSync(name).isFile() && ending.test(name));

test('texts for hosts use consistent terms and the listed tool names', async (t) => {
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  const { client, list } = await connect(t, openings[0], { ...server, args: [...server.args, '--profile', 'full', '--ws', '0'], env: { ...process.env, SNAPBACK_TIER: 'pro' } });
  const tools = await list();
  const shown = { tools, instructions: client.getInstructions(), ...(await client.listPrompts()), ...(await client.listResources()), ...(await client.listResourceTemplates()) };
  const dotted = tools.map((tool) => tool._meta?.['snapgen/name']).filter(Boolean);
  assert.ok(dotted.length > 30);
  let count = 0;
  for (const [where, text] of texts(shown)) {
    ++count;
    check(where, text);
    for (const name of dotted) assert.ok(!new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}(?!\\w)`).test(text), `${where} names ${name}, which a host cannot call`);
    assert.match(text, /^\S(.*\S)?$/s, where);
    assert.ok(!text.includes('  '), `${where} has two spaces`);
    if (where.endsWith('/description')) assert.match(text, /[.?]$|^#RRGGBB/, `${where} is a sentence: ${text}`);
  }
  assert.ok(count > 200, `${count} texts`);
});

test('instructions name only listed tools', async (t) => {
  for (const profile of ['first', 'full', 'substrate', 'wire', 'facade', 'bridge']) {
    const server = snapgen(repository(t, { 'a.txt': 'a' }));
    server.args.push('--profile', profile, '--ws', '0');
    const { client, list } = await connect(t, openings[0], server);
    const shown = new Set((await list()).map((tool) => tool.name));
    const text = client.getInstructions();
    assert.ok(text.length > 50 && text.length <= 250, `${profile}: ${text.length}`);
    const named = text.match(/\b(snapshot_|workspace_|snap_|snapback_|bridge_)[a-z]\w*|\b(snap|check)\b(?!_)/g).filter((name) => name !== 'snapshot_id');
    assert.ok(named.some((name) => shown.has(name)), profile);
    // "the snap tools" names a family.
    for (const name of named) assert.ok(shown.has(name) || (name === 'snap' && /the snap tools/.test(text)), `${profile} does not show ${name}: ${text}`);
  }
});

test('instructions spell names as the list does', async (t) => {
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  server.args.push('--tool-names', 'dotted');
  const { client, list } = await connect(t, openings[0], server);
  const shown = (await list()).map((tool) => tool.name);
  const text = client.getInstructions();
  for (const name of ['workspace.edit', 'snapshot.create']) assert.ok(shown.includes(name) && text.includes(name), name);
  for (const name of shown.filter((one) => one.includes('.'))) assert.ok(!text.includes(name.replace('.', '_')), `${name} in ${text}`);
  assert.match(text, /\bsnap_fix\b/);
});

test('help pages, manual, README and reference use consistent terms', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'snapgen manual '));
  t.after(() => remove(folder));
  for (const program of ['snap', 'snapgen', 'snapgen-server']) execFileSync(join(build, program), program === 'snapgen-server' ? ['--help'] : ['manual', folder]);
  const manual = filesBelow(folder, /man\d\/.*$/);
  assert.ok(manual.length > 5);
  for (const page of manual) {
    const bytes = readFileSync(page);
    check(page, (page.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replaceAll('\\-', '-').replaceAll('\\(aq', "'"));
  }
  check('snapgen-server --help', execFileSync(join(build, 'snapgen-server'), ['--help'], { encoding: 'utf8' }));
  const pages = [...filesBelow(join(build, 'docs/markdown'), /\.md$/), ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md'].map((name) => join(root, name))];
  assert.ok(pages.length > 50);
  for (const page of pages) check(page, readFileSync(page, 'utf8'));
});
