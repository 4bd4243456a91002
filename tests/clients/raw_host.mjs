// A host without an SDK: starts the server as hosts do, supports both eras, and answers requests for its roots.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { snapgen } from './servers.mjs';

// The environment variables that a host passes on, without those that name a folder of the session that runs this test.
const plain = () => Object.fromEntries(['PATH', 'TMPDIR', 'ASAN_OPTIONS', 'TSAN_OPTIONS', 'UBSAN_OPTIONS'].filter((name) => name in process.env).map((name) => [name, process.env[name]]));

// `cwd`, `env`, `args`: of the process; `command`: another program that starts the server; `modern`: the era.
// `roots`: the folders that the host returns when asked: an array that may change, 'silent' or 'refused'. If it is
// absent, the host does not declare roots. `name`: the client's name. Answers are JSON for every name, so that one test
// can read the answers for every host.
export async function startHost(t, { cwd, env = {}, args = ['--stdio', '--answers', 'json'], command, modern = false, roots, name = 'test-host' }) {
  const [program, ...words] = command ?? [snapgen('').command, ...args];
  const child = spawn(program, words, { cwd, env: { ...plain(), ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  const exit = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (more) => (errors += more));
  const gone = exit.then(([code, signal]) => { throw new Error(`the server ended (${code ?? signal}): ${errors}`); });
  gone.catch(() => {});

  const host = { child, exit, roots, asked: 0, errors: () => errors, notified: [] };
  const capabilities = () => (host.roots === undefined ? {} : { roots: { listChanged: true } });
  const rootsResult = () => ({ roots: host.roots.map((folder) => ({ uri: pathToFileURL(folder).href })) });
  const waiting = new Map();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'roots/list') {
      host.asked += 1;
      if (host.roots === 'silent') return;
      send(host.roots === 'refused' ? { id: message.id, error: { code: -32601, message: 'Method not found' } } : { id: message.id, result: rootsResult() });
    } else if ('method' in message) {
      host.notified.push(message);
    } else {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  let last = 0;
  const once_answered = (method, params) => {
    last += 1;
    const id = last;
    const answered = new Promise((done) => waiting.set(id, done));
    send({ id, method, params });
    return Promise.race([answered, gone]);
  };
  const meta = () => (modern ? { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': capabilities(), 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } : {});
  // Repeats a request of the stateless era with the input that the server requested.
  host.request = async (method, params = {}, more = {}) => {
    const whole = { ...params, _meta: { ...meta(), ...more } };
    let answer = await once_answered(method, whole);
    while (answer.result?.resultType === 'input_required') {
      host.asked += 1;
      const inputResponses = Object.fromEntries(Object.entries(answer.result.inputRequests).map(([key]) => [key, rootsResult()]));
      answer = await once_answered(method, { ...whole, requestState: answer.result.requestState, inputResponses });
    }
    return answer;
  };
  host.notify = (method, params = {}) => send({ method, params });
  // Returns the result of a tool, or its error: { code, message }.
  host.call = async (tool, args = {}, more = {}) => {
    const { result, error } = await host.request('tools/call', { name: tool, arguments: args }, more);
    if (error) throw new Error(`${tool}: ${error.message}`);
    const body = JSON.parse(result.content[0].text);
    if (!result.isError) return body;
    return { failed: body.error.details?.code ?? body.error.code, message: body.error.message, details: body.error.details };
  };
  // Returns the content of a file, or the error.
  host.read = async (path, more) => {
    const answer = await host.call('snapshot_file', { path }, more);
    return answer.failed ? `${answer.failed}: ${answer.message}` : answer.content;
  };
  host.end = async () => {
    child.stdin.end();
    const [code] = await exit;
    return code;
  };
  if (!modern) {
    await once_answered('initialize', { protocolVersion: '2025-11-25', capabilities: capabilities(), clientInfo: { name, version: '1' } });
    host.notify('notifications/initialized');
  }
  return host;
}
