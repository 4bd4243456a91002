// Figures of a host's run: bytes and tokens as the model receives them, with the tokenizer of current OpenAI models (o200k_base).
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { files, longLine, long_lines } from './project.mjs';
import { linesIn, sentences } from './script.mjs';

const require = createRequire(join(import.meta.dirname, '../../clients/package.json'));
let tokenizer;

export const bytesOf = (text) => Buffer.byteLength(text);

export function tokensOf(text) {
  if (!tokenizer) {
    const { Tiktoken } = require('js-tiktoken/lite');
    tokenizer = new Tiktoken(require('js-tiktoken/ranks/o200k_base'));
  }
  return tokenizer.encode(text, 'all').length;
}

// Returns everything that the server adds to a request, as one text.
export const offeredText = ({ lines, definitions }) => [...definitions, ...lines].join('\n');

const sizeOf = (text) => ({ bytes: bytesOf(text), tokens: tokensOf(text) });
const sum = (sizes) => sizes.reduce((all, { bytes, tokens }) => ({ bytes: all.bytes + bytes, tokens: all.tokens + tokens }), { bytes: 0, tokens: 0 });

// Figures of reading the long file: how many of its lines the model received, in how many calls, and the tokens that are not part of these
// lines.
function longRead(entries) {
  const seen = new Set(entries.flatMap(({ text }) => [...linesIn(text)]));
  const content = [...seen].sort((a, b) => a - b).map((number) => `${longLine(number)}\n`).join('');
  return { calls: entries.length, lines: seen.size, complete: seen.size === long_lines, ...sum(entries.map(({ text }) => sizeOf(text))), content: sizeOf(content) };
}

// The figures of one host. `script` includes everything that the model received in both sessions except the read of the long file, whose
// size depends on how much text the host passes on.
export function figuresOf(result) {
  const entries = result.sessions.flatMap((session) => session.entries);
  const long = entries.filter((entry) => entry.step === 'read 300 KB' && !entry.loads);
  const steps = entries.filter((entry) => !long.includes(entry));
  const offered = result.sessions.map((session) => sizeOf(offeredText(session.offered)));
  const read = entries.find((entry) => entry.step === 'read' && !entry.loads);
  const errors = Object.entries(sentences).map(([step, sentence]) => {
    const entry = entries.find((one) => one.step === step && !one.loads);
    return [step, entry !== undefined && sentence.test(entry.text)];
  });
  return {
    list: offered[0],
    first: sizeOf(offeredText(result.first)),
    loads: sum(steps.filter((entry) => entry.loads).map(({ text }) => sizeOf(text))),
    read: read && { ...sizeOf(read.text), content: sizeOf(files['src/greet.py']) },
    long: longRead(long),
    errors: Object.fromEntries(errors),
    script: sum([...offered, ...steps.map(({ text }) => sizeOf(text))]),
    steps: Object.fromEntries([...new Set(steps.map((entry) => entry.step))].map((step) => [step, sum(steps.filter((entry) => entry.step === step).map(({ text }) => sizeOf(text)))])),
    launches: Object.fromEntries(result.launches.map(({ name, wanted, tree, error, isRight }) => [name, { wanted, got: tree ?? (error ? 'no answer' : 'refused'), isRight: isRight === true }])),
    plugin: result.plugin.seconds,
    stopped: [...result.plugin.faults, ...[...result.sessions, ...result.history.sessions].flatMap((session) => session.error ?? []), ...result.history.faults],
  };
}
