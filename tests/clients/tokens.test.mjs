// What a host pays for tools/list in every conversation: tokens of the whole answer, by the tokenizer of current models of OpenAI
// (o200k_base), whose count other models' come near. A fixed count of fixed bytes.
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
const full_max = 12_000;

test('tools/list is short, and as long as the README says', async (t) => {
  const server = snapgen(repository(t, { 'a.txt': 'a' }));
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const counts = {};
  for (const profile of ['wire', 'substrate', 'facade', 'bridge', 'full']) {
    const { list } = await connect(t, openings[0], { ...server, args: [...server.args, '--profile', profile] });
    const tools = await list();
    counts[profile] = tokens(tools);
    t.diagnostic(`${profile}: ${tools.length} tools, ${counts[profile]} tokens`);
    if (profile !== 'full') continue;
    for (const tool of tools) t.diagnostic(`  ${tool.name}: ${tokens(tool)}`);
  }
  assert.ok(counts.full <= full_max, `${counts.full} tokens`);
  for (const [profile, count] of Object.entries(counts)) {
    const said = Number(new RegExp(`^\\| \`${profile}\` \\| \\d+ \\| ([\\d ]+) \\|`, 'm').exec(readme)?.[1].replaceAll(' ', ''));
    assert.ok(count <= said && count > said * 0.95, `README.md says ${said} of ${profile}, and there are ${count}`);
  }
});
