// Sessions over HTTP without an SDK. Each session answers requests for its roots.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { snapgen } from './servers.mjs';

// Yields each message of a response as soon as it arrives. The response is one object or a stream of events.
async function* messagesOf(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text();
    if (text) yield JSON.parse(text);
    return;
  }
  let rest = '';
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + bytes).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('');
      if (data) yield JSON.parse(data);
    }
  }
}

export async function startRaw(t, { cwd, env, args = [] }) {
  const child = spawn(snapgen('').command, ['--http', '0', ...args], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  // `roots`: folders, or undefined if the session declares none.
  const session = async (roots) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = (message) => fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
    let last = 0;
    const request = async (method, params) => {
      last += 1;
      const id = last;
      const response = await post({ id, method, params });
      const named = response.headers.get('mcp-session-id');
      if (named) headers['mcp-session-id'] = named;
      for await (const message of messagesOf(response)) {
        if (message.method === 'roots/list') await post({ id: message.id, result: { roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })) } });
        else if (message.id === id) return message;
      }
      throw new Error(`no answer to ${method}`);
    };
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: roots ? { roots: {} } : {}, clientInfo: { name: 'test-host', version: '1' } });
    await post({ method: 'notifications/initialized' });
    const call = async (name, args) => {
      const { result } = await request('tools/call', { name, arguments: args });
      const body = JSON.parse(result.content[0].text);
      if (!result.isError) return body;
      return { failed: body.error.details?.code ?? body.error.code, message: body.error.message };
    };
    const read = async (path) => {
      const answer = await call('snapshot_file', { path });
      return answer.failed ? `${answer.failed}: ${answer.message}` : answer.content;
    };
    return { request, call, read };
  };
  return { url, session };
}
