// A stand-in for a host's model: an HTTP server on loopback that answers each request with the next call of a script.
//
// The script is a generator. It yields calls {step, tool, input}, or {step, tool, native} for a call of the host's built-in tools, with
// `isBuiltIn` for one that the host never defers. The stand-in awaits `ready()` of a call, if it has that, before it answers with the call.
// The script receives the text that the host showed to the model as the result of each call, so that it can continue from what it read, as a
// model does.
import { appendFileSync } from 'node:fs';
import http from 'node:http';

// The number of times that a host may repeat the request of one turn after a broken connection. A host that repeats it more often is stuck.
const repeats_max = 5;

// Plays `script` through `host`, which translates calls into native ones and adds the calls that load a tool.
class Player {
  #calls;
  #pending;
  #repeats = 0;
  #count = 0;

  constructor(host, script) {
    this.entries = [];
    this.done = false;
    this.#calls = this.#withLoading(host, script);
  }

  // Yields native calls. Before the first call of a tool that the host has not shown to the model yet, it yields the native call that loads
  // the tool. The entry's `isLoaded` shows whether the tool was found.
  * #withLoading(host, script) {
    const tried = new Set();
    const texts = [];
    for (let { value: call, done } = script.next(); !done;) {
      const name = call.native?.name ?? host.toolName(call.tool);
      const isLoaded = (text) => text.includes(host.loadedAs(name));
      if (host.load && !call.isBuiltIn && !tried.has(name) && !texts.some(isLoaded)) {
        tried.add(name);
        const text = yield { step: call.step, loads: true, tool: call.tool, native: host.load(name) };
        this.entries.at(-1).isLoaded = isLoaded(text);
        texts.push(text);
      }
      const text = yield { native: host.call(name, call.input), ...call };
      ({ value: call, done } = script.next(text));
    }
  }

  // Returns the turn that answers a request whose conversation has these tool results.
  async next(results, body) {
    if (this.done) return { id: 'end', text: 'Done.' };
    if (this.#pending) {
      const result = results.find((one) => one.id === this.#pending.native.id);
      if (!result) {
        if (++this.#repeats > repeats_max) throw new Error(`the host does not return a result of ${this.#pending.native.name}`);
        return this.#pending.native;
      }
      this.entries.push({ ...this.#pending, ...result, body, at: performance.now() });
    }
    const received = this.entries.at(-1)?.text;
    const { value, done } = this.#calls.next(received);
    this.#repeats = 0;
    this.done = done;
    if (done) return this.next(results, body);
    this.#pending = { ...value, native: { ...value.native, id: `call_${++this.#count}` } };
    await value.ready?.();
    return this.#pending.native;
  }
}

// Starts the stand-in model. `log` receives every request, one per line. `close()` ends it and returns what was played:
//   first    the body of the first request that offered tools
//   entries  one for each call, in order: the call, the text of the result, and the request that carried it
//   error    the reason why the script stopped before its end, if it did
export async function startModel({ host, script, log }) {
  const player = new Player(host, script);
  const { api } = host;
  let first;
  let error;

  const answer = async (request, response, text) => {
    if (!api.isModelRequest(request.url)) return api.respondElsewhere(response, request.url);
    const body = JSON.parse(text);
    if (!api.offersTools(body)) return api.respond(response, body, { id: 'side', text: 'ok' }, request.url);
    first ??= body;
    return api.respond(response, body, await player.next(api.resultsOf(body), body), request.url);
  };

  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString('utf8');
      appendFileSync(log, `${JSON.stringify({ method: request.method, url: request.url, body: text })}\n`);
      try {
        await answer(request, response, text);
      } catch (failure) {
        error ??= failure;
        response.destroy();
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
      if (!player.done) error ??= new Error(first ? 'the host ended before the script did' : 'the host asked its model nothing');
      return { first, entries: player.entries, error };
    },
  };
}
