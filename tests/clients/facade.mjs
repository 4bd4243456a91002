// The facade tools through an official SDK. Every answer is validated against the schema that the server published.
// Every call that an answer proposes, completed with the values that the user adds, is validated against the listed
// schema.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { outputOf } from './schema_files.mjs';
import { connect } from './sdks.mjs';
import { snapgen } from './servers.mjs';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

// Returns the validator of a schema. Compiling one takes longer than most calls, so each schema is compiled once in a
// process, when it is first needed.
const compiled = new Map();
const validator = (schema) => {
  const text = JSON.stringify(schema);
  if (!compiled.has(text)) compiled.set(text, ajv.compile(schema));
  return compiled.get(text);
};

const served = (folder, { tier = 'pro', args = [], env = {} } = {}) => ({
  command: snapgen(folder).command,
  args: ['--stdio', '--workspace', folder, '--profile', 'facade', ...args],
  env: { ...process.env, SNAPBACK_TIER: tier, ...env },
});

// Starts a server in the folder for one test, and returns its tools.
export const facadeTools = async (t, opening, folder, options = {}) => facadeOf(await connect(t, opening, served(folder, options)), folder);

// `ask` calls a tool by the rest of its name and returns its data, `answer` the whole envelope, and `fail` the error.
export const facadeOf = async (connected, folder) => {
  const tools = await connected.list();
  const spelled = tools[0].name.includes('.') ? 'snapback.' : 'snapback_';
  const inputs = new Map(tools.map((tool) => [tool.name, tool.inputSchema]));
  const fits = (schema, value, what) => {
    const check = validator(schema);
    assert.ok(check(value), `${what}: ${JSON.stringify(check.errors)}: ${JSON.stringify(value)}`);
  };

  const proposed = (actions) => {
    const priorities = actions.map((one) => one.priority);
    assert.deepEqual(priorities, priorities.toSorted((a, b) => b - a), 'actions are sorted by priority');
    for (const action of actions) {
      assert.ok(inputs.has(action.tool), `${action.tool} is listed`);
      const asked = action.ask_user ?? [];
      assert.ok(asked.every((name) => !(name in action.args)), `the proposal leaves ${asked} to the user`);
      const given = Object.fromEntries(asked.map((name) => [name, 'the words of the user']));
      fits(inputs.get(action.tool), { ...action.args, ...given }, `the proposed call of ${action.tool}`);
    }
  };
  const answer = async (name, args = {}, ...rest) => {
    const result = await connected.call(spelled + name, args, ...rest);
    assert.ok(!result.isError, result.content[0].text);
    const { structuredContent: envelope, content } = result;
    assert.equal(content.length, 2);
    assert.deepEqual(JSON.parse(content[0].text), envelope);
    assert.match(content[1].text, /[.!?]$/, 'the summary is a sentence');
    fits(outputOf(spelled + name), envelope, name);
    assert.ok(Math.abs(Date.parse(envelope.timestamp) - Date.now()) < 600_000);
    proposed(envelope.next_actions);
    return { ...envelope, summary: content[1].text };
  };
  const fail = async (name, args = {}) => {
    const result = await connected.call(spelled + name, args);
    assert.equal(result.isError, true, result.content[0].text);
    assert.equal(result.structuredContent, undefined);
    const failure = JSON.parse(result.content[0].text);
    assert.equal(failure.ok, false);
    assert.ok(failure.error.hint && failure.error.message && failure.error.correlation_id, JSON.stringify(failure));
    proposed(failure.next_actions ?? []);
    return failure.error;
  };
  const git = (...words) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  return { folder, git, tools, answer, ask: async (...words) => (await answer(...words)).data, fail, ...connected };
};

// Returns the lines of a log when it has at least `enough` lines.
export const logged = async (folder, page, enough) => {
  const path = join(folder, `.snapback/logs/${page}.jsonl`);
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []);
  for (;;) {
    const lines = read();
    if (enough(lines)) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
