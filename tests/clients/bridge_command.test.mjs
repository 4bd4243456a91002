// `snap bridge status` and `snap bridge pair`, with a running server and with other programs at the address.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import { WebSocket } from 'ws';

import { repository } from './servers.mjs';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));

const snap = (...words) => snapWith({}, ...words);
const snapWith = async (environment, ...words) => {
  const child = spawn(join(build, 'snap'), ['bridge', ...words], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...environment } });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { errors += data; });
  const [code] = await once(child, 'close');
  return { code, out, errors };
};

// Starts a server with a bridge only. Returns its port.
const serve = (t, ...words) => serveWith(t, {}, ...words);
const serveWith = async (t, environment, ...words) => {
  const child = spawn(join(build, 'snapgen-server'), ['--ws', '0', '--workspace', repository(t, { 'a.txt': 'a' }), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment },
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return new URL(String(line).trim()).port;
};

// Starts a listener that calls `answer(socket, data)` with received data.
const listen = async (t, answer) => {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => answer(socket, data));
  });
  t.after(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String(server.address().port);
};

const accepted = (request) =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: ${
    createHash('sha1').update(/Sec-WebSocket-Key: (.*)\r\n/.exec(request)[1] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')}\r\n\r\n`;

describe('snap bridge', () => {
  test('creates a code that a browser can connect with, and lists it', async (t) => {
    const port = await serve(t);
    const before = await snap('status', '--at', port);
    assert.equal(before.code, 0, before.errors);
    assert.match(before.out, /^bridge +ws:\/\/127\.0\.0\.1:\d+\/\nNo browser is connected/);

    const paired = await snap('pair', '--at', `localhost:${port}`, '--permission', 'read_project');
    assert.equal(paired.code, 0, paired.errors);
    const [, code] = /^code +([A-Z0-9]{3}-[A-Z0-9]{3})$/m.exec(paired.out);
    assert.match(paired.out, /^may +read_project$/m);
    assert.doesNotMatch(paired.out, /snap-mcp-/, 'the HTTP token is not printed');
    const { pairings } = JSON.parse((await snap('status', '--at', port, '--json')).out);
    assert.deepEqual(pairings.map((each) => [each.code, each.permissions, each.asked_for]), [[code, ['read_project'], false]]);

    // The page does not contain the code.
    const page = await (await fetch(`http://127.0.0.1:${port}/status.json`)).json();
    assert.equal(page.pairings.length, 1);
    assert.equal(page.pairings[0].code, undefined);

    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    t.after(() => socket.close());
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connect', version: '1.0.0', token: code.toLowerCase(), client_info: { browser: 'Test/1' } }));
    const [data] = await once(socket, 'message');
    assert.match(String(data), /"connect_ack"/);
    const after = await snap('status', '--at', port);
    assert.match(after.out, /^ {2}\S+ +connected +Test\/1 +0 +commands; may read_project$/m);
    assert.doesNotMatch(after.out, new RegExp(code), 'a used code is not listed');
  });

  test('prints the tool\'s structured result with --json', async (t) => {
    const port = await serve(t);
    const { code, out } = await snap('pair', '--at', port, '--json');
    assert.equal(code, 0);
    const made = JSON.parse(out);
    assert.equal(made.status, 'success');
    assert.match(made.token, /^snap-mcp-/);
    assert.ok(!made.permissions.includes('execute_scripts'));
  });

  test('reports a server whose profile hides the bridge', async (t) => {
    const port = await serve(t, '--profile', 'wire');
    const { code, out, errors } = await snap('status', '--at', port);
    assert.deepEqual([code, out], [1, '']);
    assert.match(errors, /bridge\.status/);
  });

  test('uses a WebSocket subprotocol that the port refuses to web pages', async (t) => {
    const port = await serve(t);
    const asked = (origin) =>
      new Promise((done, failed) => {
        const headers = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Protocol': 'mcp', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
        const request = http.get({ host: '127.0.0.1', port, headers: origin === undefined ? headers : { ...headers, Origin: origin } });
        request.on('upgrade', (_, socket) => done(socket.destroy() && 101)).on('response', (answer) => done(answer.resume().statusCode)).on('error', failed);
      });
    assert.equal(await asked(undefined), 101, 'a program');
    for (const origin of ['https://example.org', 'https://snap.berkeley.edu', `http://127.0.0.1:${port}`, 'chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'null'])
      assert.equal(await asked(origin), 403, origin);
  });

  test('reports in a sentence that another program listens at the address', async (t) => {
    const silent = await listen(t, () => {});
    const closed = await listen(t, (socket) => socket.destroy());
    const web = await listen(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const liar = await listen(t, (socket, data) => socket.write(accepted(String(data).replace(/Key: ./, 'Key: _'))));
    const chatter = await listen(t, (socket) => socket.write('x'.repeat(40_000)));
    const frames = (bytes) => listen(t, (socket, data) => {
      if (/^GET/.test(data)) socket.write(accepted(String(data)));
      else if (!socket.sent) socket.write(Buffer.from(bytes));
      socket.sent = !/^GET/.test(data);
    });
    const text = (value) => [0x81, Buffer.byteLength(value), ...Buffer.from(value)];
    for (const [port, expected] of [
      [closed, /closed the connection/], [web, /does not accept MCP over WebSocket, so it is not this server's bridge/], [liar, /does not accept MCP over WebSocket/], [chatter, /does not answer with HTTP/],
      [await frames([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]), /an invalid WebSocket message/], [await frames([0x81, 0x7f, 0x7f, 0, 0, 0, 0, 0, 0, 0]), /a message of more than 16 MiB, .* Name the bridge's address with --at\./],
      [await frames([0x88, 0]), /closed the connection/], [await frames(text('{"id":"hello"}')), /does not answer with MCP/],
      [await frames([...[0x81, 1], 0xff]), /does not answer with MCP/],
      [await frames([0x89, 1, 65, ...text('{"method":"x"}'), 0x01, 1, 0x7b, 0x80, 39, ...Buffer.from('"id":"hello","error":{"message":"No."}}')]), /refuses: No\./],
    ]) {
      const { code, out, errors } = await snap('status', '--at', port);
      assert.deepEqual([code, out], [1, ''], errors);
      assert.match(errors, expected);
    }
    // It sends forever, unless the command disconnects.
    const chatting = await listen(t, (socket, data) => socket.write(/^GET/.test(data) ? accepted(String(data)) : Buffer.from([0x89, 1, 65])));
    const [waiting, pinged] = await Promise.all([silent, chatting].map((port) => snap('status', '--at', port)));
    assert.equal(pinged.code, 1);
    assert.match(pinged.errors, /does not answer/);
    assert.equal(waiting.code, 1);
    assert.match(waiting.errors, /does not answer/);
  });

  test('sends SNAPGEN_HTTP_TOKEN, and names it if the server requires a token', async (t) => {
    const SNAPGEN_HTTP_TOKEN = '0123456789abcdef';
    const port = await serveWith(t, { SNAPGEN_HTTP_TOKEN });
    assert.equal((await snapWith({ SNAPGEN_HTTP_TOKEN }, 'status', '--at', port)).code, 0);
    for (const environment of [{}, { SNAPGEN_HTTP_TOKEN: 'another one of sixteen' }]) {
      const { code, out, errors } = await snapWith(environment, 'status', '--at', port);
      assert.deepEqual([code, out], [1, '']);
      assert.match(errors, /requires a token from programs: set SNAPGEN_HTTP_TOKEN to the value that its server was started with/);
    }
    assert.equal((await snapWith({ SNAPGEN_HTTP_TOKEN }, 'status', '--at', await serve(t))).code, 0, 'a token is accepted by a server that requires none');
  });

  test('reports that no server runs, and rejects invalid addresses', async () => {
    const port = await new Promise((done) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port: found } = server.address();
        server.close(() => done(String(found)));
      });
    });
    for (const command of ['status', 'pair']) {
      const { code, out, errors } = await snap(command, '--at', port);
      assert.deepEqual([code, out], [1, '']);
      assert.match(errors, new RegExp(`^No server with a bridge runs at 127\\.0\\.0\\.1:${port}\\. `));
    }
    for (const wrong of ['example.org:80', '0.0.0.0:8765', '10.0.0.1:8765', '0', '65536', 'x', '', '127.0.0.1:', '[::2]:1'])
      assert.equal((await snap('status', '--at', wrong)).code, 2, wrong);
    assert.equal((await snap('pair', '--permission', 'everything')).code, 2);
    assert.equal((await snap()).code, 2);
  });
});
