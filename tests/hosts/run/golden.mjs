// The golden file of a host: step by step, each call and the text that the model received.
import { normalizer } from './normalize.mjs';
import { bytesOf, offeredText } from './figures.mjs';

// A longer text is shortened to its beginning and its end.
const shown_max = 4000;
const shown_half = 1000;

// Times in texts of the history.
const history_times = [[/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\b/g, '<time>']];

function shorten(text) {
  if (text.length <= shown_max) return text;
  return `${text.slice(0, shown_half)}\n[… ${text.length - 2 * shown_half} characters …]\n${text.slice(-shown_half)}`;
}

const indent = (text) => text.replaceAll(/^/gm, '    ');

// The names of the tools whose definitions are in the request, in the request's order, and the definition of one of them.
function definitionLines(definitions) {
  if (definitions.length === 0) return ['no tool definitions'];
  const tools = definitions.map((text) => JSON.parse(text));
  const sample = definitions.find((text) => /snapshot_file"/.test(text));
  return [`${tools.length} tool definitions, ${bytesOf(definitions.join('\n'))} bytes: ${tools.map((tool) => tool.name ?? tool.type).join(' ')}`,
    ...(sample ? ['one of them:', indent(sample)] : [])];
}

function offeredLines({ lines, definitions }) {
  const text = lines.filter(Boolean).join('\n');
  return [...definitionLines(definitions), `${bytesOf(text)} bytes in messages:`, indent(shorten(text))];
}

function entryLines(entry, normalize) {
  const { name, input } = entry.call;
  return [`## ${entry.step}${entry.loads ? `: load ${entry.tool}` : ''}`,
    `→ ${name} ${normalize(JSON.stringify(input))}`,
    `← ${bytesOf(entry.text)} bytes${entry.isError ? ', as an error' : ''}`,
    // Shows only one definition as a sample: with all of them, the file would change with every word of a description.
    ...(entry.loads ? [entry.isLoaded ? [] : [indent('The definition is not in it.')]].flat() : [indent(normalize(shorten(entry.text)))])];
}

function endLines({ left, error }, normalize) {
  return [...(left.length > 0 ? ['', `Servers that outlived the host: ${left.length}`] : []), ...(error ? ['', `The script stopped: ${normalize(error)}`] : [])];
}

// The result of the host's own tool is not of the server.
const shownEntry = (entry, normalize) => (entry.isBuiltIn ? entryLines(entry, normalize).slice(0, 2) : entryLines(entry, normalize));

// The number of hooks that the host ran, for each event.
function hooksLine(events) {
  const counts = [...new Set(events)].sort().map((event) => `${event} ${events.filter((one) => one === event).length}`);
  return `Hooks: ${counts.join(', ')}`;
}

function launchLine({ name, wanted, tree, text, error, isRight }, normalize) {
  const outcome = tree ? `the answer is of the tree "${tree}"` : error ? `no answer: ${error}` : `refused: ${text}`;
  return `${isRight ? 'right' : 'WRONG'}: ${name}, wanted ${wanted === 'refused' ? 'a refusal' : `the tree "${wanted}"`}: ${normalize(outcome).replaceAll(/\s+/g, ' ')}`;
}

// Returns the text of the golden file. `result` is what run.mjs wrote.
export function goldenText(host, result) {
  const normalize = normalizer(host.volatile);
  const lines = [`${host.title} ${host.version}: what its model received of snapgen-server.`];
  for (const session of result.sessions) {
    lines.push('', `# ${session.name}`, `The first request has ${bytesOf(offeredText(session.offered))} bytes of the server:`);
    lines.push(...offeredLines(session.offered));
    for (const entry of session.entries) lines.push('', ...entryLines(entry, normalize));
    lines.push(...endLines(session, normalize));
  }
  lines.push('', '# the first request with --profile first', ...offeredLines(result.first));
  const normalizeHistory = normalizer([...host.volatile ?? [], ...history_times], ['lease', 'moment', 'turn']);
  for (const session of result.history.sessions) {
    lines.push('', `# ${session.name}: ${session.prompt}`);
    for (const entry of session.entries) lines.push('', ...shownEntry(entry, normalizeHistory));
    lines.push('', ...endLines(session, normalizeHistory), hooksLine(session.events));
  }
  lines.push('', '# launches', ...result.launches.map((launch) => launchLine(launch, normalize)));
  const left = [...new Set(result.plugin.left.map(normalize))];
  lines.push('', `# the plugin, installed and ${host.plugin.remove ? 'removed' : 'not removed'}: changes in the home folder`, ...(left.length > 0 ? left : ['none']));
  return `${lines.join('\n').replaceAll(/[ \t]+$/gm, '')}\n`;
}
