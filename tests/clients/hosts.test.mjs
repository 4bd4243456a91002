// Recordings of hosts: the bytes that each host sent to a new server, and the host's requirements for the answers.
// hosts/ contains the bytes: one file per recording, one message a line, named by host and version.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, test } from 'node:test';

import { repository, snapgen } from './servers.mjs';

const recordings = join(import.meta.dirname, 'hosts');
const bytesOf = (name) => readFileSync(join(recordings, `${name}.jsonl`));
const files = { 'README.md': '# Notes\n', 'src/one.txt': 'one\n' };

// How each host starts a server on a repository, and how it ends it.
//   Claude Code: in the session's folder, with its own environment and further variables; SIGINT (2.1.268, `claude -p`).
//   Codex: in the session's folder, with only a few of its environment variables; SIGTERM (0.154.0, `codex exec`).
//   VS Code: in the user's home unless the file names a folder, with its own environment; closes stdin and waits 10 s.
// Claude Code and Codex sometimes only close stdin, or close it before they write anything (claude-code#30147).
const claude = {
  start: (folder) => ({
    args: ['--stdio'],
    options: { cwd: folder, env: { ...process.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ID: 'b94c6873-915c-45f1-9c53-5e9be3acdc35', CLAUDE_PROJECT_DIR: folder } },
  }),
  end: (child) => child.kill('SIGINT'),
};
const passedOn = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'];
const codex = {
  start: (folder) => ({
    args: ['--stdio'],
    options: { cwd: join(folder, 'src'), env: Object.fromEntries(passedOn.filter((name) => name in process.env).map((name) => [name, process.env[name]])) },
  }),
  end: (child) => child.kill('SIGTERM'),
};
const vsCode = {
  start: (folder) => ({
    args: ['--stdio', '--workspace', folder],
    options: { cwd: userInfo().homedir, env: { ...process.env, VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' } },
  }),
  end: (child) => child.stdin.end(),
};

// `recorded`: the date of the recording, and the file; `revision`: the revision that the host must negotiate.
const sessions = [
  { name: 'Claude Code 2.1.258, probing (2026-09-12)', recorded: ['claude_code_2.1.258'], host: claude, revision: '2026-07-28', unknown: [1] },
  { name: 'Claude Code 2.1.270 (2026-09-14)', recorded: ['claude_code_2.1.270'], host: claude, revision: '2025-11-25', unknown: [2] },
  // Version 2.1.280 sent `initialize` although the probe had been answered (claude-code#96183).
  { name: 'Claude Code, initialize after a probe that was answered', recorded: ['claude_code_2.1.258', 'claude_code_2.1.270'], first: 1, host: claude, revision: '2025-11-25', unknown: [2] },
  { name: 'Codex 0.158.0 (2026-09-28)', recorded: ['codex_0.158.0'], host: codex, revision: '2025-06-18', unknown: [] },
  { name: 'VS Code 1.107.1 (2026-01-06)', recorded: ['vs_code_1.107.1'], host: vsCode, revision: '2025-11-25', unknown: [] },
  { name: 'VS Code 1.138.0 (2026-10-05)', recorded: ['vs_code_1.138.0'], host: vsCode, revision: '2025-11-25', unknown: [] },
];

// Starts a server as the host does. `send` writes bytes unchanged; `answer` waits for the response with that id; `seen`
// is all that was received, `sent` all that was sent.
function start(t, { host }) {
  const folder = repository(t, files);
  const { args, options } = host.start(folder);
  const child = spawn(snapgen(folder).command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {}); // the server may have ended before it has read everything
  const exit = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (more) => (errors += more));
  const seen = [];
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    seen.push(message);
    if (message.method === 'roots/list') child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: rootsOf(folder) })}\n`);
    waiting.get(message.id)?.(message);
  });
  const gone = exit.then(([code, signal]) => { throw new Error(`the server ended (${code ?? signal}): ${errors}`); });
  gone.catch(() => {});
  const sent = [];
  return {
    child, exit, folder, seen,
    errors: () => errors,
    sent: () => Buffer.concat(sent),
    send: (bytes) => { sent.push(bytes); child.stdin.write(bytes); },
    answer: (id) => {
      const there = seen.find((message) => message.id === id);
      return there ? Promise.resolve(there) : Promise.race([new Promise((done) => waiting.set(id, done)), gone]);
    },
  };
}

const rootsOf = (folder) => ({ roots: [{ uri: pathToFileURL(folder).href }] });

const lines = (bytes) => bytes.toString('utf8').split('\n').slice(0, -1);

// The recorded messages of a host, as messages and as bytes: up to the first request whose answer it waits for, and the
// rest in one piece.
function opening(session) {
  const whole = session.recorded.map((name, at) => {
    const bytes = bytesOf(name);
    const count = at === 0 ? session.first ?? Infinity : Infinity;
    return lines(bytes).slice(0, count).map((line) => Buffer.from(`${line}\n`, 'utf8'));
  }).flat();
  const messages = whole.map((bytes) => JSON.parse(bytes));
  const pieces = [];
  let piece = [];
  whole.forEach((bytes, at) => {
    piece.push(bytes);
    if (['initialize', 'server/discover'].includes(messages[at].method)) {
      pieces.push({ bytes: Buffer.concat(piece), wait: messages[at].id });
      piece = [];
    }
  });
  if (piece.length > 0) pieces.push({ bytes: Buffer.concat(piece) });
  return { messages, pieces };
}

// Restrictions of hosts on listed tools. A host that rejects one tool may reject the whole list.
function listable(tool) {
  const { name, title, description, inputSchema, outputSchema } = tool;
  assert.match(name, /^[a-z][a-z0-9_]*$/, name);
  assert.ok(`mcp__snapgen__${name}`.length <= 60, `${name}: with the server's name added, hosts reject a longer name`);
  assert.ok(description.length > 0 && description.length <= 2048, `${name}: hosts truncate descriptions after 2048 characters`);
  assert.ok(title.length > 0, name);
  assert.equal(inputSchema.type, 'object', name);
  assert.ok(inputSchema.properties, `${name}: a host requires the member properties, even if it is empty`);
  if (outputSchema) assert.equal(outputSchema.type, 'object', name);
  for (const word of ['oneOf', 'anyOf', 'allOf']) assert.ok(!(word in inputSchema), `${name} has ${word} at its root`);
  for (const schema of [inputSchema, outputSchema ?? {}]) {
    JSON.stringify(schema, (key, value) => {
      assert.ok(key !== '$ref' && key !== '$defs' && key !== '$schema', `${name} has ${key}`);
      if (value?.type === 'array') assert.ok(value.items || value.prefixItems, `${name} has an array without a schema for its items`);
      return value;
    });
  }
}

describe('hosts', () => {
  test('the recordings are unchanged: one compact message a line, and nothing after the last', () => {
    const used = new Set(sessions.flatMap((session) => session.recorded));
    assert.deepEqual(readdirSync(recordings).filter((name) => name.endsWith('.jsonl')).sort(), [...used].map((name) => `${name}.jsonl`).sort());
    for (const name of used) {
      const bytes = bytesOf(name);
      assert.equal(bytes.at(-1), 0x0a);
      const version = name.split('_').at(-1);
      for (const line of lines(bytes)) assert.equal(JSON.stringify(JSON.parse(line)), line, name);
      assert.ok(lines(bytes)[0].includes(`"version":"${version}"`), name);
    }
  });

  for (const session of sessions) {
    test(`${session.name} connects, lists, calls and ends`, async (t) => {
      const server = start(t, session);
      const { messages, pieces } = opening(session);
      for (const { bytes, wait } of pieces) {
        server.send(bytes);
        if (wait !== undefined) await server.answer(wait);
      }
      const recorded = session.recorded.map(bytesOf);
      if (session.first) recorded[0] = Buffer.from(lines(recorded[0]).slice(0, session.first).map((line) => `${line}\n`).join(''));
      assert.deepEqual(server.sent(), Buffer.concat(recorded));

      // The handshake.
      const modern = session.revision === '2026-07-28';
      const hello = await server.answer(messages[0].id);
      if (messages[0].method === 'server/discover') {
        assert.ok(hello.result.supportedVersions.includes('2026-07-28'));
        assert.equal(hello.result._meta['io.modelcontextprotocol/serverInfo'].name, 'snapgen-server');
        assert.ok(hello.result.instructions.length <= 2048);
      }
      const initialize = messages.find((message) => message.method === 'initialize');
      if (initialize) {
        const { result } = await server.answer(initialize.id);
        assert.equal(result.protocolVersion, session.revision);
        assert.equal(result.serverInfo.name, 'snapgen-server');
        assert.ok(result.capabilities.tools && result.capabilities.resources && result.capabilities.prompts);
        assert.ok(result.instructions.length <= 2048);
      }

      // Further forms of requests that hosts send, each with a different id and with the host's order of members.
      const meta = modern ? { _meta: messages[0].params._meta } : {};
      const repeated = [];
      const ask = async (id, method, params) => {
        const whole = { ...meta, ...params };
        server.send(Buffer.from(JSON.stringify({ method, params: whole, jsonrpc: '2.0', id }) + '\n'));
        const answer = await server.answer(id);
        if (answer.result?.resultType !== 'input_required') return answer;
        // The host repeats the call with the requested roots.
        assert.deepEqual(answer.result.inputRequests, { roots: { method: 'roots/list', params: {} } });
        repeated.push(`${id} again`);
        const inputResponses = { roots: rootsOf(server.folder) };
        server.send(Buffer.from(JSON.stringify({ method, params: { ...whole, inputResponses, requestState: answer.result.requestState }, jsonrpc: '2.0', id: `${id} again` }) + '\n'));
        return server.answer(`${id} again`);
      };
      const listing = messages.find((message) => message.method === 'tools/list');
      const { result: tools } = listing ? await server.answer(listing.id) : await ask(100, 'tools/list');
      assert.equal(tools.nextCursor, undefined, 'all tools are on one page, because not every host requests a second one');
      assert.ok(tools.tools.length > 20);
      tools.tools.forEach(listable);
      const prompts = await ask(101, 'prompts/list');
      assert.ok(prompts.result.prompts.length > 0);
      const resources = await ask(102, 'resources/list');
      assert.ok(Array.isArray(resources.result.resources));
      // Claude Code requires these members in an answer of this revision, or shows no tools at all
      // (claude-code#88128).
      if (modern) {
        for (const answer of [hello.result, tools, prompts.result, resources.result]) {
          assert.equal(answer.resultType, 'complete');
          assert.ok(Number.isInteger(answer.ttlMs) && ['public', 'private'].includes(answer.cacheScope));
        }
      }

      // A recorded call names a tool of another server. The answer is a protocol error, and the connection remains
      // usable.
      for (const id of session.unknown) {
        const { error } = await server.answer(id);
        assert.equal(error.code, -32602);
        assert.match(error.message, /probe_echo|echo_note/);
      }
      const call = await ask('call-1', 'tools/call', { name: 'snapshot_file', arguments: { path: 'src/one.txt' }, _meta: { ...meta._meta, progressToken: 7, 'claudecode/toolUseId': 'toolu_01' } });
      assert.ok(!call.result.isError, JSON.stringify(call));
      const all = await ask(103, 'tools/call', { name: 'snapshot_list', arguments: { recursive: true } });
      const [read, listed] = [call, all].map(({ result }) => result.content[0].text);
      if (session.host === claude) { // Claude Code's row in the host table has the text form.
        assert.match(read, /^src\/one\.txt 1 line .*\none\n$/);
        assert.match(listed, /^2 entries .*\nREADME\.md\nsrc\/one\.txt\n$/);
      } else {
        assert.equal(JSON.parse(read).content, 'one\n');
        assert.deepEqual(JSON.parse(listed).entries.map((entry) => entry.path), ['README.md', 'src', 'src/one.txt']);
      }
      for (const { result } of [call, all]) {
        // A host shows both the text and the structured content if the text is not byte for byte the compact JSON.
        if (result.structuredContent) assert.equal(result.content[0].text, JSON.stringify(result.structuredContent));
      }

      // Further notifications of hosts: the cancellation of an answered request, and a change of the roots.
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 103, reason: 'AbortError: The operation was aborted.', ...meta } };
      server.send(Buffer.from(`${JSON.stringify(cancel)}\n`));
      if (!modern) server.send(Buffer.from('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n'));
      // A legacy host sends pings; the revision 2026-07-28 has no such method.
      const ping = await ask(104, 'ping');
      if (modern) assert.equal(ping.error.code, -32601);
      else assert.deepEqual(ping.result, {});
      if (!modern) assert.deepEqual((await ask(105, 'logging/setLevel', { level: 'info' })).result, {});

      // The server ends soon, with code 0, and writes no unrequested message to stdout.
      session.host.end(server.child);
      const [code, signal] = await server.exit;
      assert.deepEqual([code, signal], [0, null], server.errors());
      const asked = messages.filter((message) => 'id' in message).map((message) => message.id);
      const ids = [...asked, ...(listing ? [] : [100]), 101, 102, 'call-1', 103, 104, ...(modern ? [] : [105]), ...repeated];
      const questions = server.seen.filter((message) => 'method' in message && 'id' in message);
      const answers = server.seen.filter((message) => 'id' in message && !('method' in message));
      assert.deepEqual(answers.map((message) => message.id).sort(), ids.sort());
      assert.ok(server.seen.every((message) => message.jsonrpc === '2.0'));
      assert.ok(questions.every((message) => message.method === 'roots/list'), 'the server asks the host only for its roots');
      const declares = messages.some((message) => (message.params?.capabilities ?? message.params?._meta?.['io.modelcontextprotocol/clientCapabilities'])?.roots);
      const named = session.host === vsCode;
      assert.equal(questions.length + repeated.length, declares && !named ? 2 : 0, 'the server asks for the roots once for each call');
      for (const message of server.seen.filter((one) => 'method' in one && !('id' in one))) assert.match(message.method, /^notifications\/(progress|message)$/);
    });

    test(`${session.name} closes stdin immediately after writing`, async (t) => {
      const server = start(t, session);
      server.send(Buffer.concat(session.recorded.map(bytesOf)));
      server.child.stdin.end();
      assert.deepEqual(await server.exit, [0, null], server.errors());
      assert.ok(server.seen.every((message) => message.jsonrpc === '2.0'));
    });
  }

  // Claude Code may start two servers at the same time (claude-code#85895).
  test('two servers work on one repository at the same time', async (t) => {
    const [session] = sessions;
    const one = start(t, session);
    const folder = one.folder;
    const two = start(t, { host: { ...claude, start: () => claude.start(folder) } });
    const { pieces } = opening(session);
    for (const server of [one, two]) for (const { bytes } of pieces) server.send(bytes);
    const [first, second] = await Promise.all([one, two].map((server) => server.answer(0)));
    assert.deepEqual(first, second, 'both servers return the same list, byte for byte');
    for (const server of [one, two]) {
      server.child.stdin.end();
      assert.deepEqual(await server.exit, [0, null]);
    }
  });
});
