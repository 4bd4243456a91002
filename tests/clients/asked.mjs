// A client that answers the server's questions. Its messages are handwritten, so that one test covers both eras of the
// protocol.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { repository, snapgen } from './servers.mjs';

export const modern = '2026-07-28';
export const everything = { sampling: { tools: {} }, elicitation: {} };

// Starts a server in a new repository and its client, which answers every question with `answers[method](params)`.
export const startAsked = async (t, era, capabilities, answers = {}, { files = { 'a.txt': 'a\n' }, profile = 'facade', env = {} } = {}) => {
  // The server ends before its folder is deleted: hooks run in the order of registration.
  let child;
  let gone;
  t.after(async () => {
    child?.stdin.end();
    await gone;
  });
  const folder = repository(t, files);
  const { command, args } = snapgen(folder);
  child = spawn(command, [...args, '--profile', profile], { env: { ...process.env, SNAPBACK_TIER: 'pro', ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  gone = new Promise((resolve) => child.on('close', resolve));
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method) send({ id: message.id, result: answers[message.method](message.params) });
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
  const meta = { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const call = async (name, args) => {
    const params = { name, arguments: args, ...(era === modern && { _meta: meta }) };
    let { result, error } = await request('tools/call', params);
    while (result?.resultType === 'input_required') {
      const inputResponses = Object.fromEntries(
        Object.entries(result.inputRequests).map(([key, { method, params: asked }]) => [key, answers[method](asked)]));
      ({ result, error } = await request('tools/call', { ...params, inputResponses, requestState: result.requestState }));
    }
    return { ...result, error };
  };
  return { folder, call };
};
