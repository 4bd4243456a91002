// The texts that hosts show to their models before any call: tool names, descriptions and instructions, and the ranking
// when a host searches them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sources } from './schema_files.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const listed = async (t, tier, ...args) => {
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  const env = { ...process.env, SNAPBACK_TIER: tier };
  const { client, list } = await connect(t, openings[0], { ...server, args: [...server.args, ...args], env });
  return { tools: await list(), instructions: client.getInstructions() };
};
const shown = (t, ...args) => listed(t, 'pro', '--ws', '0', ...args);

test('the first sentence of every description is shorter than 160 characters', async (t) => {
  const { tools } = await shown(t, '--profile', 'full');
  assert.equal(tools.length, sources.length);
  for (const { name, description } of tools) {
    const [first] = /^.*?[.](?=\s|$)/s.exec(description) ?? [''];
    assert.ok(first.length > 0 && first.length < 160, `${name}: the first sentence has ${first.length} characters`);
    assert.match(first, /^[A-Z][a-z]+ /, `${name} begins with a verb`);
    assert.doesNotMatch(first, /^[A-Z][a-z]*[^s]s /, `${name} says what to do, in the imperative: ${first}`);
    assert.ok(description.length <= 2048, name);
  }
});

test('instructions state only the purpose of the tools in the profile, in at most 250 characters', async (t) => {
  const purposes = {
    bridge: 'bridge_pair connects ',
    facade: 'Snapshots, undo and checks for this repository. ',
    first: 'Snapshots, undo and safe edits for this repository. ',
    full: 'Snapshots, undo, safe edits and checks for this repository. ',
    substrate: 'Snapshots and safe edits for this repository. ',
    wire: 'Snapshots, undo and checks for this repository. ',
  };
  for (const [profile, purpose] of Object.entries(purposes)) {
    const { instructions } = await shown(t, '--profile', profile);
    assert.ok(instructions.length > 50 && instructions.length <= 250, `${profile}: ${instructions.length}`);
    assert.ok(instructions.startsWith(purpose), `${profile}: ${instructions}`);
  }
});

// Okapi BM25 over names and descriptions, as hosts use it to search deferred tools.
function search(tools, query) {
  const words = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const documents = tools.map(({ name, description }) => words(`${name} ${description}`));
  const average = documents.reduce((sum, document) => sum + document.length, 0) / documents.length;
  const [k, b] = [1.2, 0.75];
  const score = (document) => words(query).reduce((sum, word) => {
    const having = documents.filter((each) => each.includes(word)).length;
    const count = document.filter((each) => each === word).length;
    const weight = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    return sum + (weight * count * (k + 1)) / (count + k * (1 - b + (b * document.length) / average));
  }, 0);
  return tools.map(({ name }, i) => ({ name, score: score(documents[i]) })).toSorted((x, y) => y.score - x.score).map(({ name }) => name);
}

test('searches for checkpoints, undo and rewind find the right tool first', async (t) => {
  for (const args of [[], ['--profile', 'full'], ['--profile', 'first']]) {
    const { tools } = await shown(t, ...args);
    assert.equal(search(tools, 'checkpoint before editing')[0], 'snapshot_create', args.join(' '));
    assert.equal(search(tools, 'undo restore files')[0], 'snap_fix', args.join(' '));
    assert.equal(search(tools, 'undo one change')[0], 'history_undo', args.join(' '));
    assert.equal(search(tools, 'rewind')[0], 'history_rewind', args.join(' '));
    for (const words of ['recover work', 'revert', 'recover deleted files'])
      assert.ok(search(tools, words).slice(0, 3).includes('history_rewind'), `${words} ${args.join(' ')}`);
  }
});

test('lists omit the tools that cannot work, whose calls say why', async (t) => {
  const names = async (...args) => (await listed(t, ...args)).tools.map((tool) => tool.name);
  const full = await names('pro', '--profile', 'full', '--ws', '0');
  assert.equal(full.length, sources.length);
  assert.deepEqual(await names('pro', '--ws', '0'), full);
  const local = full.filter((name) => !name.startsWith('bridge_'));
  assert.deepEqual(await names('pro', '--profile', 'full'), local, 'without --ws no browser can connect');
  assert.deepEqual(await names('free', '--profile', 'full'), local.filter((name) => !name.startsWith('snapback_snapshot_')));
  assert.deepEqual(await names('free', '--profile', 'bridge'), []);
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  const { call, client } = await connect(t, openings[0], { ...server, env: { ...process.env, SNAPBACK_TIER: 'free' } });
  assert.doesNotMatch(client.getInstructions(), /bridge/);
  assert.match((await call('bridge_status', {})).content[0].text, /BRIDGE_OFF/);
  assert.match((await call('snapback_snapshot_create', {})).content[0].text, /TIER_REQUIRED/);
});

test('the profile first lists 13 tools in less than 20 KB', async (t) => {
  for (const answers of ['json', 'text']) {
    const { tools, instructions } = await shown(t, '--profile', 'first', '--answers', answers);
    assert.deepEqual(tools.map((tool) => tool.name), ['history_list', 'history_rewind', 'history_undo', 'snap_fix', 'snapshot_create', 'snapshot_diff', 'snapshot_file', 'snapshot_grep', 'snapshot_list', 'workspace_apply_patch', 'workspace_delete', 'workspace_edit', 'workspace_write_file']);
    const bytes = Buffer.byteLength(JSON.stringify(tools)) + Buffer.byteLength(instructions);
    t.diagnostic(`${answers}: ${bytes} bytes`);
    assert.ok(bytes < 20_000, `${answers}: ${bytes} bytes`);
  }
});
