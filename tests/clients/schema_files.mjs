// The schema files of the listed tools in the server's four families, with their complete schemas. tools/list shows a
// simplified form.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const schemas = join(import.meta.dirname, '../../schemas');
export const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const sources = ['wire', 'substrate', 'facade', 'bridge'].flatMap((family) =>
  readdirSync(join(schemas, family)).filter((name) => name.endsWith('.json'))
    .map((name) => ({ path: join(schemas, family, name), ...read(join(schemas, family, name)) }))
    .filter((each) => each.inputSchema && each['x-snapgen'].listing !== 'hidden'));

// Returns the schema in a file with its references resolved.
function whole(node, path, file = read(path)) {
  if (Array.isArray(node)) return node.map((each) => whole(each, path, file));
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string') {
    const [beside, pointer] = node.$ref.split('#');
    const place = beside ? join(dirname(path), beside) : path;
    const target = beside ? read(place) : file;
    const found = (pointer ?? '').split('/').filter(Boolean).reduce((at, key) => at[key], target);
    return whole(found, place, target);
  }
  const dropped = ['x-snapgen', '$schema', '$defs', 'examples', 'default'];
  return Object.fromEntries(Object.entries(node).filter(([key]) => !dropped.includes(key)).map(([key, value]) => [key, whole(value, path, file)]));
}

// Returns the output schema of a tool, by any of its names; undefined if the output is text.
export function outputOf(name) {
  const source = sources.find((each) => each.name.replaceAll('.', '_') === name.replaceAll('.', '_'));
  return source.outputSchema && whole(source.outputSchema, source.path);
}
