// Makes invalid values from a valid one by single changes, for the tests of generated types.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import Ajv2020 from 'ajv/dist/2020.js';

// Returns every schema file below a folder: its path below the folder without `.json`, and its content.
export function schemaFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.json') && !(entry.parentPath ?? entry.path).endsWith('/meta'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => ({ path: relative(folder, path).slice(0, -5), schema: JSON.parse(readFileSync(path, 'utf8')) }))
    .filter(({ schema }) => typeof schema.$schema === 'string' && /meta\/(tool|message)\.json$/.test(schema.$schema))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const place = (path) => `file:///schemas/${path}.json`;

// Whether the quotient of the decimals that the numbers are written as is an integer.
function isMultiple(value, divisor) {
  const [[digits, power], [divisorDigits, divisorPower]] = [value, divisor].map((number) => {
    const [, whole, fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(number));
    return [BigInt(whole + fraction), Number(exponent) - fraction.length];
  });
  const lowest = Math.min(power, divisorPower);
  return (digits * 10n ** BigInt(power - lowest)) % (divisorDigits * 10n ** BigInt(divisorPower - lowest)) === 0n;
}

// fits(path, pointer, value): whether the value is valid against the schema at that location, by Ajv.
export function judge(files) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  // Ajv divides doubles, so it would need a tolerance, within which each number is a multiple of a great divisor.
  ajv.removeKeyword('multipleOf').addKeyword({ keyword: 'multipleOf', type: 'number', validate: (divisor, value) => isMultiple(value, divisor) });
  const anchors = files.map(({ schema }) => schema.$dynamicAnchor);
  for (const { path, schema } of files) {
    // Ajv finds the target of a $dynamicRef only if it has entered the file at its root.
    const isOnly = anchors.filter((each) => each === schema.$dynamicAnchor).length === 1;
    const known = isOnly ? JSON.parse(JSON.stringify(schema).replaceAll(`"$dynamicRef":"#${schema.$dynamicAnchor}"`, '"$ref":"#"')) : schema;
    ajv.addSchema({ ...known, $schema: undefined, $id: place(path) });
  }
  const known = new Map();
  return (path, pointer, value) => {
    const key = `${path}#${pointer}`;
    if (!known.has(key)) known.set(key, ajv.compile({ $ref: `${place(path)}#${pointer}` }));
    return known.get(key)(value);
  };
}

// Yields every example of the files, with the location of its schema and the type of the example.
export function* examples(files) {
  for (const { path, schema } of files) {
    const own = schema['x-snapgen']?.examples ?? [];
    if (schema.inputSchema) {
      const name = JSON.stringify(schema.name);
      for (const each of own) {
        yield { path, pointer: '/inputSchema', type: `ToolInputs[${name}]`, value: each.arguments };
        if (each.result !== undefined)
          yield { path, pointer: '/outputSchema', type: `ToolOutputs[${name}]`, value: each.result };
      }
      yield* inner(path, schema.inputSchema, '/inputSchema', `ToolInputs[${name}]`);
      if (schema.outputSchema) yield* inner(path, schema.outputSchema, '/outputSchema', `ToolOutputs[${name}]`);
    } else if (Object.keys(schema).some((key) => !['$schema', '$defs', 'description', 'x-snapgen'].includes(key))) {
      const type = `Messages[${JSON.stringify(path)}]`;
      for (const value of own) yield { path, pointer: '', type, value };
      yield* inner(path, schema, '', type);
    }
  }
}

// Yields the `examples` and `default` values of inner schemas whose type can be named by its members.
function* inner(path, schema, pointer, type) {
  for (const value of schema.examples ?? []) yield { path, pointer, type, value };
  if ('default' in schema) yield { path, pointer, type, value: schema.default };
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property === false || property === true) continue;
    const token = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* inner(path, property, `${pointer}/properties/${encodeURIComponent(token)}`,
      `Exclude<${type}, null | undefined>[${JSON.stringify(key)}]`);
  }
}

const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

// Calls see(error, mutant) for each change of one part of the value.
export function mutate(root, see) {
  const visit = (value, rebuild, where) => {
    const wrongKind = kind(value) === 'string' ? 7 : 'text';
    see(`another kind at ${where || 'the root'}`, rebuild(wrongKind));
    if (kind(value) === 'string') see(`another constant at ${where || 'the root'}`, rebuild(`${value}~`));
    if (kind(value) === 'array')
      value.forEach((item, i) =>
        visit(item, (changed) => rebuild(value.map((old, k) => (k === i ? changed : old))), `${where}/${i}`));
    if (kind(value) !== 'object') return;
    see(`an unknown member at ${where || 'the root'}`, rebuild({ ...value, unknown_member: 1 }));
    for (const key of Object.keys(value)) {
      const { [key]: old, ...rest } = value;
      see(`without ${where}/${key}`, rebuild(rest));
      visit(old, (changed) => rebuild({ ...value, [key]: changed }), `${where}/${key}`);
    }
  };
  visit(root, (value) => value, '');
}
