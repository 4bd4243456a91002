// Calls the wire tools through an official SDK, and parses their lines.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { connect } from './sdks.mjs';
import { snapgen } from './servers.mjs';

// Returns an upper bound of the tokens of any tokenizer: one for each four letters of a word, one for each other ASCII
// character, and three for each character beyond ASCII.
const tokens = (text) =>
  [...text.matchAll(/[A-Za-z]+|[0-9]+|[^\x00-\x7f]|\S/gu)].reduce(
    (sum, [part]) => sum + (/^[A-Za-z0-9]/.test(part) ? Math.ceil(part.length / 4) : part > '\x7f' ? (part === '→' ? 1 : 3) : 1), 0);

const wired = (folder) => ({ ...snapgen(folder), args: [...snapgen(folder).args, '--profile', 'wire'] });

// Parses "🧢|S|id:x|risk:M\n---\nSummary" into { code: "S", fields: ["id:x", "risk:M"], of: { id: "x", risk: "M" },
// summary }.
const parse = (text) => {
  const [line, summary] = text.split('\n---\n');
  const [cap, code, ...fields] = line.split('|');
  assert.equal(cap, '🧢', text);
  assert.ok(summary, text);
  return { code, fields, summary, of: Object.fromEntries(fields.map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)])) };
};

// Starts a server in the folder for one test, and returns its wire tools.
export const wireTools = async (t, opening, folder) => wireOf(await connect(t, opening, wired(folder)), folder);

// The wire tools in a folder. `ask` and `refused` call a tool and return its line, and `fail` returns the code of its
// error. Every answer must be short.
export const wireOf = async (connected, folder) => {
  await connected.list();
  const git = (...words) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  const raw = async (name, args, options) => {
    const result = await connected.call(name, args, options);
    assert.equal(result.structuredContent, undefined);
    assert.equal(result.content.length, 1);
    return result;
  };
  const ask = async (name, args, options) => {
    const result = await raw(name, args, options);
    const { text } = result.content[0];
    assert.ok(!result.isError, text);
    assert.ok(tokens(text) < 200, `${tokens(text)} tokens: ${text}`);
    return parse(text);
  };
  const refused = async (name, args) => {
    const result = await raw(name, args);
    assert.equal(result.isError, true, result.content[0].text);
    assert.ok(tokens(result.content[0].text) < 200);
    const line = parse(result.content[0].text);
    assert.equal(line.code, '!');
    assert.match(line.summary, /^Error: /);
    return line;
  };
  const fail = async (name, args) => (await refused(name, args)).of.code;
  return { folder, git, ask, fail, refused, raw, ...connected };
};
