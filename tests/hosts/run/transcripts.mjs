// Transcripts: the lines that a host wrote to the server in a session, each request followed by the kind of its answer.
//
//   {"session": NAME}        a server is started for the lines that follow
//   {"jsonrpc": …}           the host's line; volatile ids are replaced by names, `lease_#1` being the first lease in an answer,
//                            and {requestState} the state that the previous answer returned
//   {"answer": KIND}         the kind of answer to the request above
//   {"end": HOW}             how the host ended the server: SIGINT, SIGTERM or stdin
import { readFileSync } from 'node:fs';

import { normalizer, numbered_patterns } from './normalize.mjs';

const lines = (path) => readFileSync(path, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));

// Returns the code of a tool's error in any form of answers: JSON, a line of the wire tools, or a sentence after its code.
const errorCode = (text) => (/\bcode"?:"?([A-Z_]+)/.exec(text) ?? /^([A-Z][A-Z_]+):/.exec(text))?.[1] ?? 'without a code';

// Returns the kind of an answer: the error code of the protocol or of the tool, or the parts of a result.
export function kindOf(message) {
  if (!message) return 'none';
  if (message.error) return `error ${message.error.code}`;
  const { result } = message;
  if (!Array.isArray(result.content)) return 'result';
  const types = result.content.map((block) => block.type);
  if (result.isError) return `tool error ${errorCode(result.content[0]?.text ?? '')}`;
  return `result: ${[...types, ...(result.structuredContent === undefined ? [] : ['structured'])].join(', ')}`;
}

const volatile = [
  [/"turn_started_at_unix_ms":\d+/g, '"turn_started_at_unix_ms":0'],
  [/\/srv\/user\/project/g, '{project}'],
  [/"requestState":"[^"]+"/g, '"requestState":"{requestState}"'],
];

// Returns the transcript of recordings [{name, path}] by record.mjs of sessions that followed each other in one repository. `end` is the
// recorded end for a host that ends the server in several ways at the same time.
export function transcriptOf(recordings, end) {
  const normalize = normalizer(volatile, Object.keys(numbered_patterns));
  const out = [];
  for (const { name, path } of recordings) {
    out.push(JSON.stringify({ session: name }));
    const recorded = lines(path);
    const answers = new Map();
    for (const { from, line } of recorded.filter((one) => one.from === 'server')) {
      const message = JSON.parse(line);
      if (from === 'server' && 'id' in message && !('method' in message)) answers.set(message.id, message);
    }
    for (const { from, line, ended } of recorded) {
      if (from === 'server') normalize(line); // Ids get their numbers in the order of the answers.
      if (ended) out.push(JSON.stringify({ end: end ?? ended }));
      if (from !== 'host') continue;
      const message = JSON.parse(line);
      out.push(normalize(line));
      if ('id' in message && 'method' in message) out.push(JSON.stringify({ answer: kindOf(answers.get(message.id)) }));
    }
    // A host that sends SIGTERM and then SIGKILL may kill the recorder before it records the SIGTERM.
    if (!recorded.some((one) => one.ended)) out.push(JSON.stringify({ end: 'SIGTERM' }));
  }
  return `${out.join('\n')}\n`;
}
