// Counts the tokens that a model reads for the answers of sixty realistic calls, with the tokenizer of current OpenAI
// models (o200k_base): in the text form, and in the JSON form, both as sent and as most hosts show it (only once).
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

import { calls, files } from './realistic_calls.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const tokenizer = new Tiktoken(o200k);
const tokens = (text) => tokenizer.encode(text, 'all').length;
const textsOf = (result) => result.content.map((block) => block.text ?? JSON.stringify(block));
// Returns the text of all content that the server sends, and of the part that a host shows if it passes on only one
// form.
const sent = (result) => tokens(textsOf(result).join('\n')) + (result.structuredContent ? tokens(JSON.stringify(result.structuredContent)) : 0);
const shown = (result) => tokens(result.structuredContent ? JSON.stringify(result.structuredContent) : textsOf(result).join('\n'));

// Runs a session in one form. Returns the tool, arguments and result of each call.
async function session(t, answers) {
  const folder = repository(t, files());
  const server = snapgen(folder);
  const { call } = await connect(t, openings[0], { ...server, args: [...server.args, '--profile', 'full', '--answers', answers] });
  const done = [];
  const last = {};
  const latest = (name) => () => last[name] ?? '';
  const count = calls({ lease: latest('lease'), snapshot: latest('snapshot'), blob: latest('blob') }).length;
  for (let i = 0; i < count; ++i) {
    // Built again for each call, with the ids of the previous answers.
    const [tool, args] = calls({ lease: latest('lease'), snapshot: latest('snapshot'), blob: latest('blob') })[i];
    const result = await call(tool, args);
    done.push({ tool, args, result });
    const text = textsOf(result).join('\n');
    if (tool === 'snapshot_create') last.snapshot = /snap_[0-9a-f]{10}|sha256:[0-9a-f]{64}/.exec(text)[0];
    last.lease = /lease_[a-z2-7]{16}/.exec(text)?.[0] ?? last.lease;
    if (tool === 'snapshot_file') last.blob = /blob"?:? ?"?((?:sha256:)?[0-9a-f]{10,})/.exec(text)?.[1] ?? last.blob;
  }
  return done;
}

test('answers to sixty realistic calls cost less than half as many tokens as text than as JSON', async (t) => {
  const [json, text] = [await session(t, 'json'), await session(t, 'text')];
  assert.equal(text.length, 60);
  const rows = new Map();
  text.forEach(({ tool, args, result }, i) => {
    const before = json[i];
    assert.equal(Boolean(result.isError), Boolean(before.result.isError), `${i}: ${tool} ${textsOf(result)} ${textsOf(before.result)}`);
    const row = rows.get(tool) ?? { calls: 0, sent: 0, shown: 0, text: 0 };
    rows.set(tool, { calls: row.calls + 1, sent: row.sent + sent(before.result), shown: row.shown + shown(before.result), text: row.text + shown(result) });
    const cost = shown(result);
    if (tool === 'snapshot_file' && !result.isError) {
      const content = tokens(before.result.structuredContent.content);
      assert.ok(cost <= 1.1 * content + 25, `a read of ${content} tokens costs ${cost}: ${textsOf(result)[0].split('\n')[0]}`);
    }
    if (/^(snap|check$)/.test(tool) && !/^snap(shot|back)/.test(tool)) assert.ok(cost < 200, `${tool} ${JSON.stringify(args)}: ${cost} tokens`);
  });
  const all = [...rows.values()].reduce((sum, row) => ({ calls: sum.calls + row.calls, sent: sum.sent + row.sent, shown: sum.shown + row.shown, text: sum.text + row.text }));
  t.diagnostic('tool: calls, tokens sent in json, shown of json, in text');
  for (const [tool, row] of [...rows, ['all', all]]) t.diagnostic(`${tool}: ${row.calls}, ${row.sent}, ${row.shown}, ${row.text}`);
  t.diagnostic(`text is ${Math.round((100 * all.text) / all.sent)} % of what is sent in json, ${Math.round((100 * all.text) / all.shown)} % of what a host shows of it`);
  assert.ok(all.text <= 0.4 * all.sent, `${all.text} of ${all.sent} tokens`);
});
