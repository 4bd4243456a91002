// Requirements of hosts on the process: only protocol messages on stdout, and an exit on request.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';

import { fixture, repository, snapgen } from './servers.mjs';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const request = (id, method, params = {}) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const modern = (id, method, params = {}) => request(id, method, { ...params, _meta: { ...meta, ...params._meta } });
const hello = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'purity', version: '1' },
});

function start(t, { command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {}); // the server may have ended before it has read everything
  return { child, exit: once(child, 'exit'), say: (...lines) => child.stdin.write(lines.map((line) => line + '\n').join('')) };
}

async function everything(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// Calls a tool that takes a minute. Resolves when the first progress notification shows that the call is running. The
// result is a function that returns all output on stdout until then.
async function callInFlight(server) {
  let output = '';
  server.child.stdout.setEncoding('utf8').on('data', (more) => (output += more));
  const minute = { duration_ms: 60_000, steps: 1000 };
  server.say(modern(7, 'tools/call', { name: 'slow', arguments: minute, _meta: { progressToken: 'p' } }));
  while (!output.includes('notifications/progress')) await once(server.child.stdout, 'data');
  return () => output;
}

const servers = [
  ['fixture server', () => fixture],
  ['snapgen-server', (t) => snapgen(repository(t, { 'README.md': '# Notes\n' }))],
];

for (const [name, find] of servers) {
  describe(`${name}, stdout`, () => {
    const malformed = [
      'not JSON',
      '{"jsonrpc":"2.0","id":2,"method":',
      '[]',
      '42',
      'null',
      '""',
      '{}',
      '\ufeff{"jsonrpc":"2.0","id":3,"method":"ping"}',
      '{"jsonrpc":"1.0","id":4,"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":5,"method":7}',
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[]}',
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":"none"}}',
      '{"jsonrpc":"2.0","id":6,"method":"no/such/method"}',
      '{"jsonrpc":"2.0","method":"notifications/no_such"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '\r',
      '',
      '[[[[[[[[[['.repeat(1000),
    ];

    test('contains only JSON-RPC, one message a line, for any input', async (t) => {
      const { child, exit, say } = start(t, find(t));
      const output = everything(child.stdout);
      say(...malformed, hello, '{"jsonrpc":"2.0","method":"notifications/initialized"}', ...malformed);
      say(request(20, 'ping'), request(21, 'tools/list'), modern(22, 'server/discover'), modern(23, 'tools/list'));
      child.stdin.write(Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x0a])); // not UTF-8
      child.stdin.write(request(24, 'ping') + '\r\n');
      child.stdin.end(request(25, 'ping') + '\n{"jsonrpc":"2.0","id":26,"meth'); // a message cut off by the end
      const bytes = await output;
      assert.deepEqual(await exit, [0, null]);

      const answered = new Map();
      assert.equal(bytes.at(-1), 0x0a, 'the output ends with a newline');
      const lines = new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\n').slice(0, -1);
      for (const line of lines) {
        const message = JSON.parse(line);
        assert.equal(message.jsonrpc, '2.0', line);
        assert.ok('result' in message !== 'error' in message || 'method' in message, line);
        if ('result' in message) answered.set(message.id, message.result);
        if ('error' in message) {
          assert.ok(Number.isInteger(message.error.code), line);
          assert.equal(typeof message.error.message, 'string', line);
        }
      }
      for (const id of [1, 20, 21, 22, 23, 24]) assert.ok(answered.has(id), `request ${id} has no result`);
      assert.ok(!answered.has(99) && !answered.has(26));
    });
  });

  describe(`${name}, ending`, () => {
    test('ends with code 0 when stdin was never written to', async (t) => {
      const { child, exit } = start(t, find(t));
      child.stdin.end();
      child.stdout.resume();
      assert.deepEqual(await exit, [0, null]);
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      test(`ends with code 0 on ${signal}`, async (t) => {
        const { child, exit, say } = start(t, find(t));
        say(hello);
        await once(child.stdout, 'data');
        child.kill(signal);
        assert.deepEqual(await exit, [0, null]);
      });
    }

    test('ends when its standard output is closed', async (t) => {
      const { child, exit, say } = start(t, find(t));
      say(hello);
      await once(child.stdout, 'data');
      child.stdout.destroy();
      say(request(2, 'ping'), request(3, 'tools/list'));
      const [code, signal] = await exit;
      assert.equal(signal, null);
      assert.ok(Number.isInteger(code));
    });
  });
}

describe('fixture server, ending with a call in flight', () => {
  for (const [how, leave] of [
    ['stdin ends', (child) => child.stdin.end()],
    ['SIGTERM', (child) => child.kill('SIGTERM')],
  ]) {
    test(`ends with code 0 when ${how}, and sends no more responses`, async (t) => {
      const server = start(t, fixture);
      const output = await callInFlight(server);
      const closed = once(server.child, 'close');
      leave(server.child);
      assert.deepEqual(await server.exit, [0, null]);
      await closed;
      assert.ok(!output().includes('"id":7'), output());
    });
  }
});
