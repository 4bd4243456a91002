// A client that answers the server's questions. Its messages are handwritten, so that one test covers both eras of the
// protocol.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { repository, snapgen } from './servers.mjs';
import { naming, sharedStart } from './shared_server.mjs';

export const modern = '2026-07-28';
export const everything = { sampling: { tools: {} }, elicitation: {} };

// Starts a server in the folder `cwd`. `call(name, args, answers, named)` answers every question with
// `answers[method](params)`, and adds `named` to the call's `_meta`.
const connectAsked = async (t, era, capabilities, { cwd, args, env }) => {
  const child = spawn(snapgen('').command, args, { cwd, env: { ...process.env, SNAPBACK_TIER: 'pro', ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.stdin.end();
    await gone;
  });
  // Messages of calls that are made together arrive together.
  const send = (message) => {
    child.stdin.cork();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    process.nextTick(() => child.stdin.uncork());
  };
  const waiting = new Map();
  let current;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method) send({ id: message.id, result: current[message.method](message.params) });
    else waiting.get(message.id)(message);
  });
  let last = 0;
  const request = (method, params) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    send({ id: last, method, params });
  });
  if (era !== modern) {
    await request('initialize', { protocolVersion: era, capabilities, clientInfo: { name: 'asked', version: '1' } });
    send({ method: 'notifications/initialized' });
  }
  const meta = era === modern ? { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': capabilities } : {};
  return async (name, values, answers = {}, named = {}) => {
    current = answers;
    const params = { name, arguments: values, _meta: { ...meta, ...named } };
    let { result, error } = await request('tools/call', params);
    while (result?.resultType === 'input_required') {
      const inputResponses = Object.fromEntries(
        Object.entries(result.inputRequests).map(([key, { method, params: asked }]) => [key, answers[method](asked)]));
      ({ result, error } = await request('tools/call', { ...params, inputResponses, requestState: result.requestState }));
    }
    return { ...result, error };
  };
};

// Starts a server in a new repository and its client, which answers every question with `answers[method](params)`.
export const startAsked = async (t, era, capabilities, answers = {}, { files = { 'a.txt': 'a\n' }, profile = 'facade', env = {} } = {}) => {
  // The server ends before its folder is deleted: hooks run in the order of registration.
  const hooks = [];
  t.after(async () => {
    for (const hook of hooks) await hook();
  });
  const folder = repository({ after: (hook) => hooks.unshift(hook) }, files);
  const { args } = snapgen(folder);
  const call = await connectAsked({ after: (hook) => hooks.unshift(hook) }, era, capabilities, { args: [...args, '--profile', profile], env });
  return { folder, call: (name, values) => call(name, values, answers) };
};

// Prepares a server for all tests of a suite. The returned function does as startAsked(), but does not start another one.
export const sharedAsked = (era, capabilities, { files = { 'a.txt': 'a\n' }, profile = 'facade' } = {}) => {
  const { repository: create, connection } = sharedStart(async (suite, cwd) => {
    const call = await connectAsked(suite, era, capabilities, { cwd, args: ['--stdio', '--profile', profile] });
    await call('snapback_prepare_workspace', {}, {}, naming(cwd));
    return { call };
  });
  return async (t, answers = {}) => {
    const folder = create(t, files);
    const { call, _meta } = await connection(folder);
    return { folder, call: (name, values) => call(name, values, answers, _meta) };
  };
};
