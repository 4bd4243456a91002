// What a model received from the server, taken from the requests to the stand-in model.
import { normalizer } from './normalize.mjs';

// Returns the items of `many` that are not in `few`; an item that occurs several times is returned as often as it has more occurrences.
function without(many, few) {
  const counts = new Map();
  for (const item of few) counts.set(item, (counts.get(item) ?? 0) + 1);
  return many.filter((item) => {
    const count = counts.get(item) ?? 0;
    counts.set(item, count - 1);
    return count <= 0;
  });
}

const linesOf = (api, body, normalize) => api.textsOf(body).flatMap((text) => normalize(text).split('\n'));
const definitionsOf = (api, body) => api.toolsOf(body).map((tool) => JSON.stringify(tool));

// Returns what the server adds to the first request of a session: the lines and the tool definitions that the same session without the
// server does not have. Definitions that the host loads later are not included. `volatile`: as for normalizer().
export function offered({ api, volatile }, body, plain) {
  const definitions = (request) => definitionsOf(api, request).map(normalizer(volatile));
  return {
    lines: without(linesOf(api, body, normalizer(volatile)), linesOf(api, plain, normalizer(volatile))),
    definitions: without(definitions(body), definitions(plain)),
  };
}

// The results of calls as the model received them: {step, tool, loads, isLoaded, call: {name, input}, text, isError}. If a host loads a
// tool by adding its definition to the request, the text of the load is that definition.
export function received({ api }, first, entries) {
  let before = definitionsOf(api, first);
  return entries.map(({ body, native, step, tool, isBuiltIn, loads, isLoaded, text, isError }) => {
    const now = definitionsOf(api, body);
    const added = without(now, before);
    before = now;
    const shown = loads && added.length > 0 ? added.join('\n') : text;
    return { step, tool, isBuiltIn, loads: loads === true, isLoaded, call: { name: native.name, input: native.input }, text: shown, isError };
  });
}
