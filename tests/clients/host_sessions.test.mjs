// Replays whole sessions of real hosts without the hosts. hosts/sessions/ contains the messages that each host sent to
// the server when ./dev hosts ran it (tests/hosts/run/transcripts.mjs describes the format).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';

import { numbered_patterns } from '../hosts/run/normalize.mjs';
import { files, makeRepository } from '../hosts/run/project.mjs';
import { kindOf } from '../hosts/run/transcripts.mjs';
import { remove, snapgen } from './servers.mjs';

const folder = join(import.meta.dirname, 'hosts/sessions');

// Splits a transcript into sessions: {name, steps, end}. A step is a line of the host, with the kind of its answer if
// it is a request.
function sessionsOf(file) {
  const sessions = [];
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)) {
    const value = JSON.parse(line);
    if (value.session) sessions.push({ name: value.session, steps: [] });
    else if (value.end) sessions.at(-1).end = value.end;
    else if (value.answer) sessions.at(-1).steps.at(-1).answer = value.answer;
    else sessions.at(-1).steps.push({ line, message: value });
  }
  return sessions;
}

// Replaces the ids in answers by the names that the transcript has for them.
class Ids {
  #seen = new Map();

  read(text) {
    for (const [kind, pattern] of Object.entries(numbered_patterns)) {
      for (const [id] of text.matchAll(pattern)) {
        const known = this.#seen.get(kind) ?? [];
        if (!known.includes(id)) this.#seen.set(kind, [...known, id]);
      }
    }
  }

  fill(line) {
    return line.replaceAll(/(lease|snap|task)_#(\d+)/g, (name, kind, number) => {
      const id = this.#seen.get(kind)?.[number - 1];
      assert.ok(id, `no answer showed ${name}`);
      return id;
    });
  }
}

// Starts a server in `project` as the hosts do. `next(wanted)` resolves to the next message for which `wanted` is
// true; `rest` contains the messages that no call of `next` took.
function start(t, project) {
  const child = spawn(snapgen(project).command, ['--stdio'], { cwd: project, stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const messages = [];
  const waiting = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (more) => (errors += more));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    const at = waiting.findIndex(({ wanted }) => wanted(message));
    if (at < 0) messages.push({ line, message });
    else waiting.splice(at, 1)[0].resolve({ line, message });
  });
  const ended = closed.then(([code, signal]) => { throw new Error(`the server ended with ${signal ?? code}: ${errors}`); });
  ended.catch(() => {});
  const next = (wanted) => {
    const at = messages.findIndex(({ message }) => wanted(message));
    if (at >= 0) return messages.splice(at, 1)[0];
    return Promise.race([new Promise((resolve) => waiting.push({ wanted, resolve })), ended]);
  };
  return { child, closed, next, rest: messages, errors: () => errors, send: (line) => child.stdin.write(`${line}\n`) };
}

async function play(t, { steps, end }, project, ids) {
  const server = start(t, project);
  let requestState;
  // For each pending request of the host, a function that waits for its answer and checks it.
  const open = [];
  const check = async () => {
    for (const each of open.splice(0)) await each();
  };
  for (const { line, message, answer } of steps) {
    const isRequest = 'method' in message;
    // A host may answer a question of the server while a request of the host is still pending.
    if (isRequest) await check();
    const filled = ids.fill(line).replaceAll('{project}', project).replaceAll('{requestState}', requestState);
    if (!isRequest) {
      // Returns the host's answer to a question of the server, with the id that this server gave the question.
      const { message: question } = await server.next((one) => 'method' in one && 'id' in one);
      server.send(JSON.stringify({ ...JSON.parse(filled), id: question.id }));
      continue;
    }
    server.send(filled);
    if (answer === undefined || answer === 'none') continue;
    open.push(async () => {
      const got = await server.next((one) => one.id === message.id && !('method' in one));
      ids.read(got.line);
      requestState = got.message.result?.requestState;
      assert.equal(got.message.jsonrpc, '2.0');
      assert.equal(kindOf(got.message), answer, `${filled.slice(0, 300)}\n${got.line.slice(0, 1000)}`);
    });
  }
  await check();
  if (end.startsWith('SIG')) server.child.kill(end);
  else server.child.stdin.end();
  const [code, signal] = await server.closed;
  assert.deepEqual([code, signal], [0, null], server.errors());
  assert.equal(server.errors(), '', 'the server reports no error about the host');
  assert.deepEqual(server.rest.filter(({ message }) => 'id' in message), [], 'every response belongs to a request of the host');
}

describe('sessions of hosts', { concurrency: true }, () => {
  for (const file of readdirSync(folder)) {
    test(`${file.replace('.jsonl', '')} receives the recorded kinds of answers`, async (t) => {
      const top = mkdtempSync(join(tmpdir(), 'snapgen host '));
      t.after(() => remove(top));
      const project = join(top, 'project');
      makeRepository(project, files);
      const ids = new Ids();
      const sessions = sessionsOf(file);
      assert.equal(sessions.length, 2);
      for (const session of sessions) await play(t, session, project, ids);
    });
  }
});

test('a host is started only in a separate network namespace', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../hosts/run/run.mjs'), 'codex', '/nonexistent', '/nonexistent'], { encoding: 'utf8' });
  assert.match(stderr, /No host is started\.$/m);
  assert.equal(status, 3);
});
