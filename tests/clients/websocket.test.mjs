// WebSocket over real sockets: the conformance cases byte for byte, handshakes, other WebSocket clients, and floods.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import WsClient from 'ws';

import { bytesOf, casesOf } from './websocket_cases.mjs';
import { shakeHands } from './websocket_peer.mjs';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));

// Starts a server and returns its address. The server ends after all tests.
async function start(program, ...words) {
  const child = spawn(join(build, program), words, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  child.unref();
  const [line] = await once(child.stdout, 'data');
  child.stdout.destroy();
  return { child, url: String(line).trim() };
}
const servers = new Map();
// Starts one echo server for each set of options.
function echo(...words) {
  const key = words.join(' ');
  if (!servers.has(key)) servers.set(key, start('tests/websocket/websocket-echo', '0', ...words));
  return servers.get(key);
}

const text = (payload) => bytesOf({ payload: Buffer.from(payload) });

async function play({ limit, offer, steps }) {
  const { url } = await echo('--limit', String(limit), ...(offer ? ['--deflate'] : []));
  const { head, peer } = await shakeHands(url, { offer });
  assert.ok(peer, head);
  try {
    for (const step of steps) {
      if (step.send) {
        await peer.send(step.send);
      } else if (step.nothing) {
        // A ping cannot be sent within a frame, so the test relies on the server answering in order.
        await new Promise((done) => setImmediate(done));
        assert.equal(peer.unread, 0);
      } else {
        const frame = await peer.frame();
        assert.ok(frame, 'the server disconnected without an answer');
        assert.equal(frame.last, true);
        assert.equal(frame.masked, false);
        assert.equal(frame.reserved, 0);
        if (step.close === undefined) {
          assert.equal(frame.opcode, step.opcode);
          assert.ok(frame.payload.equals(step.payload), `the payload differs; it has ${frame.payload.length} bytes`);
        } else {
          assert.equal(frame.opcode, 8);
          assert.equal(frame.payload.length < 2 ? 1005 : frame.payload.readUInt16BE(0), step.close);
          assert.equal(await peer.end(), true, 'the server sent bytes after the close frame');
          assert.equal(peer.error, undefined, 'the connection was reset');
        }
      }
    }
    assert.equal(peer.unread, 0);
  } finally {
    peer.socket.destroy();
  }
}

for (const file of ['framing', 'control', 'fragments', 'utf8', 'close', 'limits', 'deflate']) {
  test(`${file}: every case passes over a socket`, async () => {
    const outcomes = await Promise.allSettled(casesOf(file).map(play));
    const failed = casesOf(file).flatMap(({ name }, i) => outcomes[i].status === 'rejected' ? [`${name}: ${outcomes[i].reason}`] : []);
    assert.deepEqual(failed, []);
  });
}

describe('handshakes over a socket', () => {
  const refusals = [
    ['another host', { fields: { Host: 'evil.example' } }, 403],
    ['a page', { fields: { Origin: 'https://evil.example' } }, 403],
    ['no upgrade', { fields: { Upgrade: undefined } }, 426],
    ['another version', { fields: { 'Sec-WebSocket-Version': '12' } }, 426],
    ['a bad key', { fields: { 'Sec-WebSocket-Key': 'abc' } }, 400],
    ['another method', { line: 'POST / HTTP/1.1' }, 405],
    ['HTTP/1.0', { line: 'GET / HTTP/1.0' }, 505],
    ['a head that is too long', { fields: { 'X-Long': 'x'.repeat(100_000) } }, 431],
    ['no HTTP', { line: '\x16\x03\x01' }, 400],
  ];
  for (const [name, request, status] of refusals) {
    test(`${name} is rejected with ${status}`, async () => {
      const { url } = await echo();
      const { head } = await shakeHands(url, request);
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  }
});

describe("other WebSocket clients", () => {
  for (const [name, words, options] of [
    ['ws', [], { perMessageDeflate: false }],
    ['ws, compressing', ['--deflate'], { perMessageDeflate: { threshold: 0 } }],
    ['ws, compressing in a small window without contexts', ['--deflate'],
      { perMessageDeflate: { threshold: 0, serverMaxWindowBits: 9, clientMaxWindowBits: 9, clientNoContextTakeover: true, serverNoContextTakeover: true } }],
  ]) {
    test(`${name} exchanges messages and pings, and ends`, async () => {
      const { url } = await echo(...words);
      const client = new WsClient(url, options);
      await once(client, 'open');
      assert.equal(client.extensions.includes('permessage-deflate'), words.length > 0);
      for (const message of ['', 'hello', 'é日本語\u{1F600}'.repeat(20_000), Buffer.alloc(100_000, 7)]) {
        client.send(message);
        const [data, isBinary] = await once(client, 'message');
        assert.equal(isBinary, Buffer.isBuffer(message));
        assert.ok(data.equals(Buffer.from(message)));
      }
      client.ping('are you there');
      const [pong] = await once(client, 'pong');
      assert.equal(String(pong), 'are you there');
      client.close(4321, 'bye');
      const [code] = await once(client, 'close');
      assert.equal(code, 4321);
    });
  }

  test("the client of Node exchanges messages, and ends", async () => {
    const { url } = await echo('--deflate');
    const client = new WebSocket(url);
    await once(client, 'open');
    for (const message of ['', 'hello', 'é日本語\u{1F600}'.repeat(20_000)]) {
      client.send(message);
      const [event] = await once(client, 'message');
      assert.ok(event.data === message);
    }
    client.close(3000, 'bye');
    const [event] = await once(client, 'close');
    assert.deepEqual([event.code, event.wasClean], [3000, true]);
  });

  test('a server that stops closes connections with code 1001', async () => {
    const { child, url } = await start('tests/websocket/websocket-echo', '0');
    const client = new WsClient(url);
    await once(client, 'open');
    child.kill('SIGTERM');
    const [code] = await once(client, 'close');
    assert.equal(code, 1001);
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 0);
  });
});

describe('other clients are not affected by floods', () => {
  // The requests of another client, which a flood must not disturb.
  async function others(url, flood) {
    const bystander = new WsClient(url, { perMessageDeflate: false });
    await once(bystander, 'open');
    const stop = await flood();
    for (let i = 0; i < 50; ++i) {
      bystander.send(`still ${i}`);
      const [data] = await once(bystander, 'message');
      assert.equal(String(data), `still ${i}`);
    }
    await stop();
    bystander.close();
    await once(bystander, 'close');
  }
  const endlessly = (peer, bytes) => {
    let going = true;
    peer.socket.on('error', () => {});
    const more = () => {
      while (going && !peer.socket.destroyed && peer.socket.write(bytes));
    };
    peer.socket.on('drain', more);
    more();
    return () => {
      going = false;
      peer.socket.destroy();
    };
  };
  const pieces = (count, frame) => Buffer.concat(Array.from({ length: count }, () => frame));

  test('of silent connections', async () => {
    const { url } = await echo();
    await others(url, async () => {
      const peers = await Promise.all(Array.from({ length: 200 }, () => shakeHands(url)));
      return () => peers.forEach(({ peer }) => peer.socket.destroy());
    });
  });
  test('of pings from a peer that never reads', async () => {
    const { url } = await echo();
    await others(url, async () => {
      const { peer } = await shakeHands(url);
      peer.socket.pause();
      return endlessly(peer, pieces(1000, bytesOf({ opcode: 9, payload: Buffer.alloc(125, 1) })));
    });
  });
  test('of messages from a peer that never reads', async () => {
    const { url } = await echo();
    await others(url, async () => {
      const { peer } = await shakeHands(url);
      peer.socket.pause();
      return endlessly(peer, pieces(10, text('x'.repeat(60_000))));
    });
  });
  test('of one-byte fragments', async () => {
    const { url } = await echo();
    await others(url, async () => {
      const { peer } = await shakeHands(url);
      await peer.send(bytesOf({ opcode: 1, last: false, payload: Buffer.from('a') }));
      return endlessly(peer, pieces(10_000, bytesOf({ opcode: 0, last: false, payload: Buffer.from('b') })));
    });
  });
  test('of decompression bombs', async () => {
    const { url } = await echo('--deflate');
    const bomb = casesOf('deflate').find((each) => each.name.startsWith('decompression bomb')).steps[0].send;
    await others(url, async () => {
      for (let i = 0; i < 3; ++i) {
        const { peer } = await shakeHands(url, { offer: 'permessage-deflate' });
        await peer.send(bomb);
        const frame = await peer.frame();
        assert.equal(frame.payload.readUInt16BE(0), 1009);
        peer.socket.destroy();
      }
      return () => {};
    });
  });
  test('of connections that are reset in the middle of a frame', async () => {
    const { url } = await echo();
    await others(url, async () => {
      const { peer } = await shakeHands(url);
      await peer.send(text('x'.repeat(1000)).subarray(0, 500));
      peer.socket.resetAndDestroy();
      return () => {};
    });
  });
});
