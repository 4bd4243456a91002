// SnapgenBridge as its users install it: built, packed, and installed from the archive. The tests check its types, and
// run the client against a server that they control.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { WebSocketServer } from 'ws';

import { bridgePackage } from './bridge_package.mjs';
import { remove } from './servers.mjs';

const here = import.meta.dirname;
const run = promisify(execFile);
let made;
let client;
before(async () => {
  made = mkdtempSync(join(tmpdir(), 'snapgen-bridge-'));
  client = await bridgePackage(made);
});
after(() => remove(made));

const ack = (more = {}) => ({
  type: 'connect_ack', status: 'accepted', session_id: 'sess_1', keep_alive_interval: 20_000, permissions: [], reconnect_token: 'reconnect-1',
  server_capabilities: { max_message_size: 10_000, supported_commands: [], protocol_version: '1.0.0', limits: {} },
  resume_window_ms: 1000, resumed: false, awaiting: [], ...more,
});

// A server that reads its connections message by message.
async function stand(t) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const waiting = [];
  const came = [];
  server.on('connection', (socket) => {
    const messages = [];
    const readers = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      const reader = readers.shift();
      if (reader) reader(message);
      else messages.push(message);
    });
    const line = {
      socket,
      send: (message) => socket.send(JSON.stringify(message)),
      next: () => (messages.length > 0 ? Promise.resolve(messages.shift()) : new Promise((done) => readers.push(done))),
    };
    const waiter = waiting.shift();
    if (waiter) waiter(line);
    else came.push(line);
  });
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${server.address().port}/`,
    accept: () => (came.length > 0 ? Promise.resolve(came.shift()) : new Promise((done) => waiting.push(done))),
  };
}

// Returns a connected client, and the server's end of the connection.
async function connected(t, options = {}) {
  const server = await stand(t);
  const bridge = new client.SnapgenBridge({ url: server.url, reconnectDelay: 1, ...options });
  t.after(() => bridge.disconnect());
  const connecting = bridge.connect('ABC-234');
  const line = await server.accept();
  const first = await line.next();
  line.send(ack());
  await connecting;
  return { bridge, server, line, first };
}

const command = (id, name, payload = {}, options = undefined) => ({ message_id: id, type: 'command', command: name, payload, ...(options ? { options } : {}) });

describe('the package', () => {
  test('contains only the built files, package.json and the README', async () => {
    const { files } = client.packed;
    assert.deepEqual(files.filter((each) => !each.startsWith('dist/')), ['README.md', 'package.json']);
    assert.ok(files.includes('dist/bridge.js') && files.includes('dist/bridge.d.ts') && files.includes('dist/types/bridge.d.ts'));
    const described = JSON.parse(readFileSync(join(client.folder, 'package.json'), 'utf8'));
    assert.deepEqual(Object.keys(described.dependencies ?? {}), []);
  });

  test('is built from a checkout with any tsc, or not at all', async (t) => {
    const checkout = mkdtempSync(join(made, 'checkout-'));
    t.after(() => remove(checkout));
    cpSync(join(here, '../../tools/bridge/client'), join(checkout, 'tools/bridge/client'), { recursive: true });
    const bin = join(checkout, 'bin');
    const folder = join(checkout, 'package');
    mkdirSync(bin);
    const build = () => run(process.execPath, [join(checkout, 'tools/bridge/client/build.mjs'), folder], { env: { PATH: bin } }).catch((error) => error);
    const fails = async (sentence) => {
      const { code, stderr } = await build();
      assert.equal(code, 1);
      assert.match(stderr, sentence);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.ok(!existsSync(folder));
    };
    await fails(/^The generated types are missing: .*\/build\/typescript has no bridge\.d\.ts\. Run \.\/dev build, or name their folder as the second argument\.$/m);
    cpSync(join(client.folder, 'src/types'), join(checkout, 'build/typescript'), { recursive: true });
    await fails(/^TypeScript is missing: install tsc 5\.0 or later in PATH, or run npm ci in tests\/clients\.$/m);
    writeFileSync(join(bin, 'tsc'), `#!/bin/sh\nexec '${process.execPath}' '${join(here, 'node_modules/typescript/bin/tsc')}' "$@"\n`, { mode: 0o755 });
    assert.equal((await build()).stderr, '');
    assert.deepEqual(readFileSync(join(folder, 'dist/bridge.js')), readFileSync(join(client.folder, 'dist/bridge.js')));
  });

  test('shows how it is built', async () => {
    const builder = join(here, '../../tools/bridge/client/build.mjs');
    const usage = /^Usage: node build\.mjs FOLDER \[TYPES\]$/m;
    assert.match((await run(process.execPath, [builder, '--help'])).stdout, usage);
    for (const words of [[], ['--types'], ['a', 'b', 'c']]) {
      const { code, stderr } = await run(process.execPath, [builder, ...words]).catch((error) => error);
      assert.equal(code, 2);
      assert.match(stderr, usage);
    }
  });

  test('runs on a Node without WebSocket, with the package ws', async (t) => {
    const server = await stand(t);
    const { engines } = JSON.parse(readFileSync(join(client.folder, 'package.json'), 'utf8'));
    assert.deepEqual(engines, { node: '>=20' });
    for (const page of [join(client.folder, 'README.md'), join(here, '../../docs/bridge.md')])
      assert.match(readFileSync(page, 'utf8').replace(/\s+/g, ' '), /runs on Node 20 or later\. Node before 22 has no WebSocket: give the one of the package `ws` as the option `WebSocket`/);
    const program = `import { SnapgenBridge } from '${pathToFileURL(join(client.folder, 'dist/bridge.js'))}';
      import { WebSocket as Ws } from '${pathToFileURL(join(here, 'node_modules/ws/wrapper.mjs'))}';
      if (globalThis.WebSocket) throw new Error('This Node has a WebSocket.');
      const bridge = new SnapgenBridge({ url: '${server.url}', WebSocket: Ws });
      console.log((await bridge.connect('ABC-234')).session_id);
      await bridge.disconnect();`;
    const running = run(process.execPath, ['--no-experimental-websocket', '--input-type=module', '-e', program]);
    const line = await server.accept();
    assert.equal((await line.next()).type, 'connect');
    line.send(ack());
    assert.equal((await line.next()).type, 'disconnect');
    line.send({ type: 'disconnect_ack', state_saved: false });
    assert.equal((await running).stdout, 'sess_1\n');
  });

  test('has no name that means one thing in the client and another in the messages', () => {
    const names = (file) => [...readFileSync(join(client.folder, 'dist', file), 'utf8').matchAll(/^export (?:declare )?(?:class|const|function|interface|type) (\w+)/gm)].map(([, name]) => name);
    const messages = new Set(names('types/bridge.d.ts'));
    const own = [...names('bridge.d.ts'), ...names('run.d.ts')];
    assert.ok(own.includes('BridgeState') && messages.has('BridgeStatus'));
    assert.deepEqual(own.filter((name) => messages.has(name)), []);
  });

  test('accepts correct uses of its types, and rejects wrong ones', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'snapgen-bridge-types-'));
    t.after(() => remove(folder));
    mkdirSync(join(folder, 'node_modules'));
    await run('tar', ['-xzf', client.packed.archive, '-C', join(folder, 'node_modules')]);
    await run('mv', [join(folder, 'node_modules/package'), join(folder, 'node_modules/snapgen-bridge')]);
    writeFileSync(join(folder, 'usage.ts'), readFileSync(join(here, 'types/bridge_usage.ts')));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const options of [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]) {
      const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], noUncheckedIndexedAccess: true, ...options };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['usage.ts'] }));
      const said = await run(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(() => '', ({ stdout }) => stdout);
      assert.equal(said, '');
    }
  });
});

describe('the client', () => {
  test('connects with its code and client information, and reports its state', async (t) => {
    const states = [];
    const { bridge, first } = await connected(t, { clientInfo: { browser: 'Test/1' }, onstate: (state) => states.push(state) });
    assert.deepEqual(first, { type: 'connect', version: '1.0.0', token: 'ABC-234', client_info: { browser: 'Test/1' } });
    assert.deepEqual(states, ['connecting', 'connected']);
    assert.equal(bridge.session.session_id, 'sess_1');
  });

  test('rejects connect() with the server\'s reason', async (t) => {
    const server = await stand(t);
    const bridge = new client.SnapgenBridge({ url: server.url });
    const connecting = bridge.connect('ABC-234');
    const line = await server.accept();
    await line.next();
    line.send({ type: 'connect_error', status: 'rejected', error: { code: 'TOKEN_EXPIRED', message: 'Too late.', retry_allowed: true, new_token_url: 'http://127.0.0.1/new-token' } });
    await assert.rejects(connecting, (error) => {
      assert.ok(error instanceof client.ConnectRefused);
      assert.deepEqual([error.code, error.message, error.retryAllowed, error.newTokenUrl], ['TOKEN_EXPIRED', 'Too late.', true, 'http://127.0.0.1/new-token']);
      return true;
    });
    assert.equal(bridge.state, 'idle');
  });

  test('rejects connect() when no server listens', async (t) => {
    const server = await stand(t);
    const bridge = new client.SnapgenBridge({ url: server.url.replace(/\d+\/$/, '1/') });
    await assert.rejects(bridge.connect('ABC-234'));
    assert.equal(bridge.state, 'idle');
  });

  test('answers commands with the results or errors of its handlers', async (t) => {
    const { line } = await connected(t, {
      handlers: {
        highlight_blocks: ({ block_ids: ids }) => ({ highlighted: ids }),
        read_project: async () => { throw new client.CommandFailure('SNAP_NOT_LOADED', 'Not yet.', { since: 1 }, ['Wait.']); },
        execute_script: () => { throw new TypeError('x is not a function'); },
        export_project: () => ({ project_data: 'x'.repeat(20_000), size_bytes: 20_000, format: 'xml' }),
      },
    });
    line.send(command('m1', 'highlight_blocks', { block_ids: ['a'] }));
    assert.deepEqual(await line.next(), { message_id: 'm1', type: 'response', status: 'success', payload: { highlighted: ['a'] } });
    line.send(command('m2', 'read_project'));
    assert.deepEqual((await line.next()).error, { code: 'SNAP_NOT_LOADED', message: 'Not yet.', details: { since: 1 }, recovery_suggestions: ['Wait.'] });
    line.send(command('m3', 'execute_script', { javascript_code: '1' }));
    assert.deepEqual((await line.next()).error, { code: 'JAVASCRIPT_ERROR', message: 'TypeError: x is not a function' });
    line.send(command('m4', 'export_project'));
    assert.equal((await line.next()).error.code, 'MEMORY_LIMIT');
    line.send(command('m5', 'delete_blocks', { selection: { type: 'all_scripts' } }));
    assert.equal((await line.next()).error.code, 'PERMISSION_DENIED');
  });

  test('asks the user when a command requires confirmation', async (t) => {
    const asked = [];
    const { line } = await connected(t, {
      confirm: async ({ message_id: id }) => asked.push(id) > 1,
      handlers: { highlight_blocks: ({ block_ids: ids }) => ({ highlighted: ids }) },
    });
    for (const [id, status] of [['m1', 'error'], ['m2', 'success']]) {
      line.send(command(id, 'highlight_blocks', { block_ids: ['a'] }, { require_confirmation: true }));
      assert.equal((await line.next()).status, status);
    }
    assert.deepEqual(asked, ['m1', 'm2']);
  });

  test('aborts the handler of a cancelled command', async (t) => {
    let began;
    const beginning = new Promise((done) => { began = done; });
    const { line } = await connected(t, {
      handlers: { read_project: (payload, { signal }) => new Promise((done, fail) => {
        signal.addEventListener('abort', () => fail(new client.CommandFailure('CANCELLED', 'Stopped.')));
        began();
      }) },
    });
    line.send(command('m1', 'read_project'));
    await beginning;
    line.send({ type: 'cancel', message_id: 'm1' });
    assert.equal((await line.next()).error.code, 'CANCELLED');
  });

  test('runs batches in order or concurrently, and stops or rolls back on request', async (t) => {
    const order = [];
    const handlers = {
      highlight_blocks: async ({ block_ids: [id] }) => {
        order.push(`+${id}`);
        await new Promise((done) => setImmediate(done));
        order.push(`-${id}`);
        if (id === 'bad') throw new client.CommandFailure('INVALID_BLOCK_SPEC', 'No such block.');
        return { highlighted: [id] };
      },
    };
    const { line } = await connected(t, { handlers, checkpoint: () => () => { order.push('back'); } });
    const batch = async (id, names, options) => {
      line.send({ message_id: id, type: 'batch_command', commands: names.map((name) => ({ command: 'highlight_blocks', payload: { block_ids: [name] } })), options });
      const { status, payload } = await line.next();
      assert.equal(status, 'success');
      return [payload.results.map((each) => each.status).join(), order.splice(0).join(' '), payload.rolled_back];
    };
    assert.deepEqual(await batch('b1', ['x', 'y'], {}), ['success,success', '+x -x +y -y', undefined]);
    assert.deepEqual(await batch('b2', ['x', 'y'], { execute_sequentially: false }), ['success,success', '+x +y -x -y', undefined]);
    assert.deepEqual(await batch('b3', ['bad', 'y'], {}), ['error,success', '+bad -bad +y -y', undefined]);
    assert.deepEqual(await batch('b4', ['bad', 'y'], { stop_on_error: true }), ['error,skipped', '+bad -bad', undefined]);
    assert.deepEqual(await batch('b5', ['x', 'bad'], { rollback_on_error: true }), ['success,error', '+x -x +bad -bad back', true]);
  });

  test('answers pings, and ignores unknown messages', async (t) => {
    const { line } = await connected(t);
    line.socket.send('not JSON');
    line.socket.send('null');
    line.send({ type: 'news_of_tomorrow' });
    line.send({ type: 'ping', timestamp: new Date(Date.now() - 1000).toISOString() });
    const pong = await line.next();
    assert.equal(pong.type, 'pong');
    assert.ok(pong.latency_ms >= 1000);
  });

  test('sends events while there is a connection', async (t) => {
    const { bridge, line } = await connected(t);
    bridge.emit('sprite_created', { sprite: 'Cat' });
    const { timestamp, ...event } = await line.next();
    assert.deepEqual(event, { type: 'event', event_type: 'sprite_created', session_id: 'sess_1', payload: { sprite: 'Cat' } });
    assert.ok(Date.parse(timestamp));
    await Promise.all([bridge.disconnect(), line.next().then(() => line.send({ type: 'disconnect_ack', state_saved: false }))]);
    bridge.emit('sprite_created', {});
  });

  test('reconnects with the rotated token, runs no command twice, and loses no response', async (t) => {
    let release;
    const held = new Promise((done) => { release = done; });
    let runs = 0;
    const saved = [];
    const { bridge, server, line } = await connected(t, {
      onsession: (session) => saved.push(session),
      handlers: {
        read_project: async () => { ++runs; await held; return { project: { name: 'late' } }; },
        highlight_blocks: ({ block_ids: ids }) => { ++runs; return { highlighted: ids }; },
      },
    });
    line.send(command('slow', 'read_project'));
    line.send(command('quick', 'highlight_blocks', { block_ids: ['a'] }));
    const quick = await line.next();
    line.socket.terminate();
    const second = await server.accept();
    assert.deepEqual(await second.next(), { type: 'reconnect', version: '1.0.0', reconnect_token: 'reconnect-1', received: ['slow', 'quick'] });
    second.send(ack({ resumed: true, reconnect_token: 'reconnect-2', awaiting: ['quick', 'slow'] }));
    assert.deepEqual(await second.next(), quick, 'the client repeats responses that may have been lost');
    second.send(command('quick', 'highlight_blocks', { block_ids: ['a'] }));
    release();
    const late = await second.next();
    assert.deepEqual([late.message_id, late.payload.project.name], ['slow', 'late']);
    assert.equal(runs, 2);
    second.socket.terminate();
    const third = await server.accept();
    assert.equal((await third.next()).reconnect_token, 'reconnect-2');
    assert.deepEqual(saved.at(-1), { reconnectToken: 'reconnect-2', received: ['slow', 'quick'] });
    third.send({ type: 'connect_error', status: 'rejected', error: { code: 'TOKEN_EXPIRED', message: 'Too late.', retry_allowed: true } });
    await once(third.socket, 'close');
    await until(() => bridge.state === 'idle');
    assert.equal(saved.at(-1), undefined, 'no session is saved after the end');
  });

  test('resumes a saved session in another process', async (t) => {
    const server = await stand(t);
    let runs = 0;
    const bridge = new client.SnapgenBridge({ url: server.url, reconnect: false, handlers: { read_project: () => { ++runs; return { project: { name: '' } }; } } });
    const resuming = bridge.resume({ reconnectToken: 'reconnect-9', received: ['m1'] });
    const line = await server.accept();
    assert.deepEqual((await line.next()).received, ['m1']);
    line.send(ack({ resumed: true, awaiting: ['m1'] }));
    await resuming;
    assert.deepEqual([(await line.next()).error.code, runs], ['CONNECTION_LOST', 0], 'whether the interrupted command ran is unknown, and it is not run again');
    line.socket.terminate();
    await until(() => bridge.state === 'idle');
  });

  test('disconnects, and saves the session on request', async (t) => {
    const saved = [];
    const { bridge, line } = await connected(t, { onsession: (session) => saved.push(session) });
    const ending = bridge.disconnect({ reason: 'user_closed_tab', saveState: true });
    assert.deepEqual(await line.next(), { type: 'disconnect', reason: 'user_closed_tab', save_state: true });
    line.send({ type: 'disconnect_ack', state_saved: true, reconnect_token: 'reconnect-8', valid_until: '2025-09-30T11:00:00Z' });
    assert.equal((await ending).reconnect_token, 'reconnect-8');
    assert.equal(saved.at(-1).reconnectToken, 'reconnect-8');
    assert.equal(bridge.state, 'idle');
  });
});

async function until(holds) {
  while (!holds()) await new Promise((done) => setImmediate(done));
}
