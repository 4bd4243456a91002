// A host with a bridge: snapgen-server --stdio --ws, and helpers for tests of the bridge.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { remove } from './servers.mjs';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));
const validators = await import(pathToFileURL(join(build, 'typescript/bridge.js')));
const pascal = (name) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());

export class Host {
  #next = 1;
  #waiting = new Map();
  errors = '';

  // Starts a host. `place`: the address of the bridge; `words`: further arguments. The host ends with the test `t`.
  static async start(t, { place = '0', words = [], environment = {}, workspace } = {}) {
    const host = new Host();
    const folder = workspace ?? mkdtempSync(join(tmpdir(), 'snapgen-bridge-host-'));
    host.child = spawn(join(build, 'snapgen-server'), ['--stdio', '--ws', place, '--workspace', folder, '--log-level', 'debug', ...words], {
      stdio: 'pipe', env: { ...process.env, ...environment },
    });
    t.after(() => {
      host.child.kill('SIGKILL');
      if (!workspace) remove(folder);
    });
    host.child.stderr.on('data', (data) => { host.errors += data; });
    createInterface({ input: host.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id === undefined) host.#notified(message);
      host.#waiting.get(message.id)?.(message);
      host.#waiting.delete(message.id);
    });
    return host;
  }

  #notifications = [];
  #listeners = [];
  #notified(message) {
    this.#notifications.push(message);
    for (const listener of this.#listeners.splice(0)) listener();
  }
  // Returns whether there is an unread notification of this method.
  notified(method) {
    return this.#notifications.some((each) => each.method === method);
  }
  // Returns the first unread notification of this method, now or when it arrives.
  async notification(method) {
    for (;;) {
      const at = this.#notifications.findIndex((each) => each.method === method);
      if (at >= 0) return this.#notifications.splice(at, 1)[0];
      await new Promise((done) => this.#listeners.push(done));
    }
  }

  request(method, params) {
    const id = this.#next++;
    const answer = new Promise((done) => this.#waiting.set(id, done));
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    answer.id = id;
    return answer;
  }
  notify(method, params) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }
  // Returns the data of a successful call, or the error of a failed one. Both must match the tool's schema.
  async call(name, parameters = {}) {
    const { result, error } = await this.request('tools/call', { name: `bridge_${name}`, arguments: parameters });
    assert.equal(error, undefined, JSON.stringify(error));
    const value = JSON.parse(result.content[0].text);
    validators[`parseBridge${pascal(name)}Output`](result.content[0].text);
    assert.equal(result.isError ?? false, value.status !== 'success', result.content[0].text);
    if (!result.isError) assert.deepEqual(result.structuredContent, value);
    return value;
  }
  async succeed(name, parameters) {
    const value = await this.call(name, parameters);
    assert.equal(value.status, 'success', JSON.stringify(value));
    return value;
  }
  async fail(name, parameters) {
    const value = await this.call(name, parameters);
    assert.equal(value.status, 'error', JSON.stringify(value));
    return value.error;
  }
  // Resolves when the server's log has the text.
  async logged(text) {
    while (!this.errors.includes(text)) await once(this.child.stderr, 'data');
  }
  async end() {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}

// Opens a browser connection with handwritten messages, which are objects, in order.
export class Wire {
  #messages = [];
  #readers = [];
  constructor(url, protocols, options) {
    this.socket = options ? new options.WebSocket(url, protocols ?? [], options.settings) : new WebSocket(url, protocols ?? []);
    this.opened = new Promise((done, fail) => {
      this.socket.onopen = done;
      this.socket.onerror = (event) => fail(event.error ?? new Error('refused'));
    });
    this.opened.catch(() => {});
    this.closed = new Promise((done) => {
      this.socket.onclose = ({ code, reason }) => {
        done({ code, reason: String(reason) });
        for (const reader of this.#readers.splice(0)) reader(undefined);
      };
    });
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      const reader = this.#readers.shift();
      if (reader) reader(message);
      else this.#messages.push(message);
    };
  }
  send(message) {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  // Resolves to undefined after the end of the connection.
  next() {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    if (this.socket.readyState > 1) return Promise.resolve(undefined);
    return new Promise((done) => this.#readers.push(done));
  }
  async greet(token, more = {}) {
    await this.opened;
    this.send({ type: 'connect', version: '1.0.0', token, ...more });
    return this.next();
  }
}
