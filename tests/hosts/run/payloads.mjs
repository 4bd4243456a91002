// The JSON that a host passed to its hooks, compared with tests/hosts/hooks/, whose files ./dev test reads as `snap hook` does.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// The members of these differ from tool to tool.
const tool_members = ['tool_input', 'tool_response', 'tool_result'];

const typeOf = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

// Returns the paths and types of all members, sorted.
const membersOf = (object, above = '') => Object.entries(object).flatMap(([name, value]) => {
  const member = `${above}${name} ${typeOf(value)}`;
  return typeOf(value) === 'object' && !tool_members.includes(name) ? [member, ...membersOf(value, `${above}${name}.`)] : [member];
}).sort();

const formOf = (event, payload) => `${event}\n${membersOf(payload).join('\n')}`;

// Replaces what names this run.
function normalize(text) {
  const ids = [];
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `00000000-0000-4000-8000-${String(ids.indexOf(id) + 1).padStart(12, '0')}`;
  }).replaceAll('/srv/user', '/home/user').replaceAll('-srv-user-', '-home-user-');
}

// Returns the payloads whose event and members no file of `folder` has, one for each form, as {name, text}. A payload is {event, text}.
export function unknownPayloads(payloads, folder) {
  const known = new Set(readdirSync(folder).map((file) => {
    const payload = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return formOf(payload.hook_event_name ?? file.replace(/\.json$/, ''), payload);
  }));
  return payloads.flatMap(({ event, text }) => {
    const payload = JSON.parse(text);
    const form = formOf(event, payload);
    if (known.has(form)) return [];
    known.add(form);
    return [{ name: [event, payload.tool_name].filter(Boolean).join('.'), text: normalize(`${text.trim()}\n`) }];
  });
}
