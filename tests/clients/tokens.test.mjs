// Counts the tokens of tools/list, which a host sends to its model in every conversation, with the tokenizer of current
// OpenAI models (o200k_base); other models have similar counts. The count is deterministic.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const tokenizer = new Tiktoken(o200k);
const tokens = (value) => tokenizer.encode(JSON.stringify(value)).length;
const full_max = 12_100;
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

test('tools/list is short, and its length is that in docs/tools.md', async (t) => {
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  const page = readFileSync(join(import.meta.dirname, '../../docs/tools.md'), 'utf8');
  const counts = {};
  for (const profile of ['first', 'wire', 'substrate', 'facade', 'bridge', 'full']) {
    const { list } = await connect(t, openings[0], { ...server, args: [...server.args, '--profile', profile, '--ws', '0'], env: { ...process.env, SNAPBACK_TIER: 'pro' } });
    const tools = await list();
    counts[profile] = { tools: tools.length, tokens: tokens(tools) };
    t.diagnostic(`${profile}: ${tools.length} tools, ${counts[profile].tokens} tokens`);
    if (profile !== 'full') continue;
    for (const tool of tools) t.diagnostic(`  ${tool.name}: ${tokens(tool)}`);
  }
  assert.ok(counts.full.tokens <= full_max, `full has ${grouped(counts.full.tokens)} tokens; the limit for this project's tools is ${grouped(full_max)}: `
    + 'shorten descriptions in schemas/ (the counts by tool are above); a server with tools of its own raises full_max in tests/clients/tokens.test.mjs');
  const rows = Object.entries(counts).map(([profile, { tools, tokens: count }]) => `| \`${profile}\` | ${tools} | ${grouped(count)} |`);
  for (const [profile, { tools, tokens: count }] of Object.entries(counts)) {
    const row = new RegExp(`^\\| \`${profile}\` \\| (\\d+) \\| ([\\d,]+) \\|`, 'm').exec(page);
    const said = Number(row?.[2].replaceAll(',', ''));
    assert.ok(Number(row?.[1]) === tools && count <= said && count > said * 0.95,
      `docs/tools.md has ${row?.[1]} tools and ${said} tokens for ${profile}, and the server has ${tools} and ${count}: its table of tokens should begin with\n${rows.join('\n')}`);
  }
});
