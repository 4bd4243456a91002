// The official SDKs over WebSocket. Version 1 includes a client transport for WebSocket. For version 2 this test
// implements the Transport interface.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';

import { openings } from './sdks.mjs';
import { awkward, repository } from './servers.mjs';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));
const text = (result) => result.content.map((block) => block.text).join('');

const serve = (t, ...words) => serveWith(t, 'tests/fixture/fixture-server', ...words);

async function serveWith(t, program, ...words) {
  const child = spawn(join(build, program), ['--ws', '0', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, url: new URL(String(line).trim()) };
}

class SocketTransport {
  constructor(url) {
    this.url = url;
  }
  start() {
    this.socket = new WebSocket(this.url, 'mcp');
    this.socket.onmessage = ({ data }) => this.onmessage?.(JSON.parse(data));
    this.socket.onclose = () => this.onclose?.();
    return new Promise((resolve, reject) => {
      this.socket.onopen = resolve;
      this.socket.onerror = (event) => {
        reject(event.error ?? new Error('the WebSocket failed'));
        this.onerror?.(event.error);
      };
    });
  }
  async send(message) {
    this.socket.send(JSON.stringify(message));
  }
  async close() {
    this.socket.close();
  }
}

for (const opening of openings) {
  describe(`fixture server over WebSocket, ${opening.name}`, () => {
    for (const [name, words] of [['plain', []], ['compressed', ['--ws-deflate']]]) {
      test(`${name}: lists tools, receives texts and errors`, async (t) => {
        const { url } = await serve(t, ...words);
        const { client, call } = opening.make();
        const errors = [];
        client.onerror = (error) => errors.push(error);
        const transport = opening.name === 'SDK v1' ? new WebSocketClientTransport(url) : new SocketTransport(url);
        await client.connect(transport);
        assert.equal(client.getServerVersion().name, 'fixture-server');
        assert.ok((await client.listTools()).tools.some((tool) => tool.name === 'echo'));
        assert.equal(text(await call({ name: 'echo', arguments: { text: awkward } })), awkward);
        const big = awkward.repeat(20_000);
        assert.ok(text(await call({ name: 'echo', arguments: { text: big } })) === big, 'the returned text differs');
        const many = await Promise.all(Array.from({ length: 200 }, (_, i) => call({ name: 'echo', arguments: { text: `${i}` } })));
        assert.deepEqual(many.map(text), Array.from({ length: 200 }, (_, i) => `${i}`));
        assert.equal((await call({ name: 'test_error_handling', arguments: {} })).isError, true);
        assert.deepEqual(errors, []);
        await client.close();
      });
    }
  });
}

describe('fixture server over WebSocket', () => {
  test('serves several clients at once', async (t) => {
    const { url } = await serve(t);
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { client, call } = openings[0].make();
        await client.connect(new WebSocketClientTransport(url));
        return { client, call };
      }),
    );
    const answers = await Promise.all(clients.map(({ call }, i) => call({ name: 'echo', arguments: { text: `client ${i}` } })));
    assert.deepEqual(answers.map(text), clients.map((_, i) => `client ${i}`));
    await Promise.all(clients.map(({ client }) => client.close()));
  });

  test('rejects a client without the subprotocol mcp', async (t) => {
    const { url } = await serve(t);
    for (const protocols of [[], ['chat']]) {
      const socket = new WebSocket(url, protocols);
      const [event] = await Promise.race([once(socket, 'error'), once(socket, 'open')]);
      assert.equal(event.type, 'error');
    }
  });

  test('closes connections and exits cleanly when it is stopped', async (t) => {
    const { child, url } = await serve(t);
    const socket = new WebSocket(url, 'mcp');
    await once(socket, 'open');
    child.kill('SIGTERM');
    const [event] = await once(socket, 'close');
    assert.equal(event.code, 1001);
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 0);
  });
});

for (const opening of openings.filter((each) => !each.http)) {
  test(`snapgen-server over WebSocket, ${opening.name}`, async (t) => {
    const folder = repository(t, { 'one.txt': 'one\n' });
    const { url } = await serveWith(t, 'snapgen-server', '--workspace', folder);
    const { client, call } = opening.make();
    await client.connect(opening.name === 'SDK v1' ? new WebSocketClientTransport(url) : new SocketTransport(url));
    t.after(() => client.close());
    assert.equal(client.getServerVersion().name, 'snapgen-server');
    assert.ok((await client.listTools()).tools.some((tool) => tool.name === 'snapshot_file'));
    const read = await call({ name: 'snapshot_file', arguments: { path: 'one.txt' } });
    assert.equal(read.structuredContent.content, 'one\n');
    assert.equal((await client.readResource({ uri: 'snapgen://files/one.txt' })).contents[0].text, 'one\n');
    const wrong = await call({ name: 'snapshot_file', arguments: { path: '../one.txt' } });
    assert.equal(wrong.isError, true);
  });
}
