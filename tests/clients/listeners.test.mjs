// A listening server remains able to answer calls, however many clients connect.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';

import { repository, snapgen } from './servers.mjs';

// Starts a server with a soft limit of `soft` open files and a hard limit of `hard`. Returns the URLs that it prints
// for `doors`.
async function listening(t, { soft, hard, doors }) {
  const { command } = snapgen('');
  const workspace = repository(t, { 'a.txt': 'a\n' });
  const limits = `ulimit -Sn ${soft} && ulimit -Hn ${hard} && exec "$@"`;
  const child = spawn('sh', ['-c', limits, 'sh', command, ...doors, '--workspace', workspace], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const urls = [];
  for (const word of doors) if (word.startsWith('--')) urls.push(new URL((await lines.next()).value));
  return urls;
}

// Starts a server whose standard output is used for MCP. Returns the first log line that contains `text`.
async function logged(t, words, text) {
  const { command, args } = snapgen(repository(t, { 'a.txt': 'a\n' }));
  const child = spawn(command, [...args, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stderr })) if (line.includes(text)) return line;
  assert.fail(`no log line contains "${text}"`);
}

async function idle(t, { port }, count) {
  for (let i = 0; i !== count; ++i) {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
  }
}

describe('a server that listens', () => {
  test('logs its address when standard output is used for MCP', async (t) => {
    const line = await logged(t, ['--http', '0', '--log-level', 'info', '--allow-origin', 'https://Example.org:443'], 'MCP over HTTP is at ');
    const url = line.match(/http:[\w./:]+/)[0];
    const answer = await fetch(url, { method: 'POST', headers: { Origin: 'https://example.org' } });
    assert.equal(answer.status, 415);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://example.org');
  });

  test('rejects an --allow-origin that no browser can send', () => {
    const { command } = snapgen('');
    for (const origin of ['https://example.org/', 'example.org', '*', 'garbage \x07']) {
      const { status, stderr } = spawnSync(command, ['--http', '0', '--allow-origin', origin], { encoding: 'utf8', timeout: 10_000 });
      assert.equal(status, 2, origin);
      assert.match(stderr, /--allow-origin takes an origin as browsers send it/);
    }
  });

  test('rejects an invalid address to listen on', () => {
    const { command } = snapgen('');
    for (const option of ['--http', '--ws']) {
      const { status, stderr } = spawnSync(command, [option, 'x:y'], { encoding: 'utf8', timeout: 10_000 });
      assert.notEqual(status, 0);
      assert.match(stderr, /"x:y" is not an address to listen on. Use \[HOST:\]PORT/);
      assert.doesNotMatch(stderr, /HTTP/);
    }
  });

  test('closes silent connections for new ones, and not active ones', async (t) => {
    const [url] = await listening(t, { soft: 64, hard: 64, doors: ['--ws', '0'] });
    const socket = async () => {
      const made = new WebSocket(url, 'mcp');
      t.after(() => made.close());
      const closed = once(made, 'close').then(([event]) => event.code);
      const state = { made, closed, is_closed: false };
      closed.then(() => { state.is_closed = true; });
      await new Promise((resolve, reject) => {
        made.onopen = resolve;
        made.onerror = () => reject(new Error('the WebSocket failed'));
      });
      return state;
    };
    const ask = async ({ made }, id) => {
      made.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
      const [{ data }] = await once(made, 'message');
      assert.equal(JSON.parse(data).id, id);
    };
    const host = await socket();
    await ask(host, 1);
    const silent = [];
    for (let i = 0; i !== 40; ++i) silent.push(await socket());
    assert.equal(await silent[0].closed, 1013);
    assert.equal(host.is_closed, false);
    await ask(host, 2);
  });

  test('answers calls while many clients are connected', async (t) => {
    const [mcp, bridge] = await listening(t, { soft: 64, hard: 256, doors: ['--http', '0', '--ws', '0'] });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const ask = async (id, method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Content-Length': Buffer.byteLength(body), ...session };
      const asking = http.request(mcp, { method: 'POST', agent, headers }).end(body);
      const [answer] = await once(asking, 'response');
      let text = '';
      for await (const data of answer) text += data;
      return { headers: answer.headers, ...JSON.parse(text) };
    };
    const session = {};
    const opened = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    session['Mcp-Session-Id'] = opened.headers['mcp-session-id'];
    await idle(t, mcp, 100);
    await idle(t, bridge, 100);
    for (let i = 2; i !== 6; ++i) {
      const { result } = await ask(i, 'tools/call', { name: 'snapshot_file', arguments: { path: 'a.txt' } });
      assert.ok(!result.isError, JSON.stringify(result));
    }
  });
});
