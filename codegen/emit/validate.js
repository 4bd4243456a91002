// Checks values against the JSON Schemas of the modules beside this one. It has no dependencies, and builds no code at
// run time, which the pages of extensions forbid.

/** A value does not match its schema. `pointer` is the JSON Pointer of the part that does not. */
export class InvalidValue extends Error {
  constructor(type, { pointer, problem }) {
    super(`${type}${pointer}: ${problem}`);
    this.name = 'InvalidValue';
    this.pointer = pointer;
    this.problem = problem;
  }
}

const annotations = new Set([
  '$comment', '$defs', '$id', '$schema', 'contentEncoding', 'contentMediaType', 'contentSchema', 'default', 'deprecated', 'description', 'else',
  'examples', 'maxContains', 'minContains', 'readOnly', 'then', 'title', 'writeOnly',
]);

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isObject = (value) => kindOf(value) === 'object';
const step = (pointer, key) => `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
const list = (values) => values.map((each) => JSON.stringify(each)).join(' or ');
const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

// An undefined member is absent, as JSON.stringify() treats it.
const has = (object, key) => isObject(object) && Object.hasOwn(object, key) && object[key] !== undefined;
const keysOf = (object) => Object.keys(object).filter((key) => object[key] !== undefined);

function equal(a, b) {
  if (kindOf(a) !== kindOf(b) || a === null || typeof a !== 'object') return a === b;
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => has(b, key) || Array.isArray(b) ? equal(a[key], b[key]) : false);
}

function fitsType(type, value) {
  if (type === 'integer') return Number.isInteger(value);
  return kindOf(value) === type && (type !== 'number' || Number.isFinite(value));
}
const fitsTypes = (types, value) => types === undefined || [types].flat().some((type) => fitsType(type, value));

/** Returns functions that check values against the definitions of `bundle`. */
export function checks(bundle) {
  const compiled = new WeakMap();
  const patterns = new Map();
  const resolve = (schema) => (schema.$ref ? bundle.$defs[schema.$ref.slice('#/$defs/'.length)] : schema);
  const matches = (pattern, text) => {
    if (!patterns.has(pattern)) patterns.set(pattern, new RegExp(pattern, 'u'));
    return patterns.get(pattern).test(text);
  };

  // Returns the first fault of a value, or undefined.
  function fault(schema, value, pointer) {
    if (schema === true) return undefined;
    if (schema === false) return { pointer, problem: 'must be absent' };
    if (!compiled.has(schema)) {
      const unknown = Object.keys(schema).find((key) => !annotations.has(key) && !keywords[key]);
      if (unknown) throw new Error(`The keyword "${unknown}" is not checked here. Use a validator of JSON Schema.`);
      compiled.set(schema, Object.keys(keywords).filter((key) => Object.hasOwn(schema, key)));
    }
    for (const key of compiled.get(schema)) {
      const found = keywords[key](schema[key], value, pointer, schema);
      if (found) return typeof found === 'string' ? { pointer, problem: found } : found;
    }
    return undefined;
  }
  // Faults that only show that there is one are not explained: that would double the work for each nested alternative.
  let silent = 0;
  const fits = (schema, value) => {
    ++silent;
    try {
      return fault(schema, value, '') === undefined;
    } finally {
      --silent;
    }
  };
  const firstOf = (values, find) => {
    for (const each of values) {
      const found = find(each);
      if (found) return found;
    }
    return undefined;
  };

  // Returns the fault of a value that matches none of the alternatives. Its members tell which one was meant: their
  // constants, or else which of them are there.
  const flat = (schemas) => schemas.map(resolve).flatMap((each) => (each.oneOf ?? each.anyOf ? flat(each.oneOf ?? each.anyOf) : [each]));
  function narrow(schemas, value, pointer) {
    for (const key of new Set(schemas.flatMap((each) => Object.keys(each.properties ?? {})))) {
      const constants = schemas.map((each) => each.properties?.[key]?.const).filter((each) => each !== undefined);
      const same = schemas.filter((each) => has(value, key) && equal(each.properties?.[key]?.const, value[key]));
      if (same.length > 0 && same.length < schemas.length) return narrow(same, value, pointer);
      if (same.length === 0 && constants.length === schemas.length)
        return { pointer: step(pointer, key), problem: `must be ${list([...new Set(constants)])}` };
    }
    const complete = schemas.filter(({ required = [] }) => required.every((key) => has(value, key)));
    if (complete.length > 0 && complete.length < schemas.length) return narrow(complete, value, pointer);
    if (schemas.length === 1) return fault(schemas[0], value, pointer);
    const constants = schemas.filter((each) => 'const' in each).map((each) => each.const);
    if (constants.length === schemas.length) return { pointer, problem: `must be ${list(constants)}` };
    return { pointer, problem: `must match ${schemas.map((each) => each.title ?? each.type ?? 'another schema').join(' or ')}` };
  }
  function none(alternatives, value, pointer) {
    if (silent > 0) return 'matches no alternative';
    const schemas = flat(alternatives);
    const near = schemas.filter((each) => fitsTypes(each.type, value));
    const types = [...new Set(schemas.map((each) => each.type).flat())];
    return near.length > 0 ? narrow(near, value, pointer) : `must be ${types.join(' or ')}`;
  }

  const number = (test) => (limit, value) => (typeof value === 'number' ? test(limit, value) : undefined);
  const text = (test) => (limit, value) => (typeof value === 'string' ? test(limit, value) : undefined);
  const array = (test) => (limit, value, pointer, schema) => (Array.isArray(value) ? test(limit, value, pointer, schema) : undefined);
  const object = (test) => (limit, value, pointer, schema) => (isObject(value) ? test(limit, value, pointer, schema) : undefined);
  // Each function returns a fault, its text if it is one of the whole value, or undefined.
  const keywords = {
    $ref: (ref, value, pointer) => fault(resolve({ $ref: ref }), value, pointer),
    type: (types, value) => (fitsTypes(types, value) ? undefined : `must be ${[types].flat().join(' or ')}`),
    const: (constant, value) => (equal(constant, value) ? undefined : `must be ${JSON.stringify(constant)}`),
    enum: (values, value) => (values.some((each) => equal(each, value)) ? undefined : `must be ${list(values)}`),
    minLength: text((min, value) => ([...value].length < min ? `must have at least ${plural(min, 'character')}` : undefined)),
    maxLength: text((max, value) => ([...value].length > max ? `must have at most ${plural(max, 'character')}` : undefined)),
    pattern: text((pattern, value) => (matches(pattern, value) ? undefined : `must match ${pattern}`)),
    minimum: number((min, value) => (value < min ? `must be at least ${min}` : undefined)),
    maximum: number((max, value) => (value > max ? `must be at most ${max}` : undefined)),
    exclusiveMinimum: number((min, value) => (value <= min ? `must be above ${min}` : undefined)),
    exclusiveMaximum: number((max, value) => (value >= max ? `must be below ${max}` : undefined)),
    multipleOf: number((divisor, value) => (Number.isInteger(value / divisor) ? undefined : `must be a multiple of ${divisor}`)),
    minItems: array((min, value) => (value.length < min ? `must have at least ${plural(min, 'item')}` : undefined)),
    maxItems: array((max, value) => (value.length > max ? `must have at most ${plural(max, 'item')}` : undefined)),
    uniqueItems: array((unique, value) =>
      unique && value.some((each, i) => value.slice(0, i).some((other) => equal(each, other))) ? 'must not have an item twice' : undefined),
    prefixItems: array((schemas, value, pointer) => firstOf(value.slice(0, schemas.length).keys(), (i) => fault(schemas[i], value[i], step(pointer, i)))),
    items: array((schema, value, pointer, { prefixItems = [] }) =>
      firstOf(value.keys(), (i) => (i < prefixItems.length ? undefined : fault(schema, value[i], step(pointer, i))))),
    contains: array((schema, value, pointer, { minContains = 1, maxContains = Infinity }) => {
      const count = value.filter((each) => fits(schema, each)).length;
      return count < minContains || count > maxContains ? `has ${plural(count, 'item')} of a kind of which it must have ${minContains} to ${maxContains}` : undefined;
    }),
    required: object((names, value, pointer) =>
      firstOf(names, (name) => (has(value, name) ? undefined : { pointer: step(pointer, name), problem: 'is missing' }))),
    minProperties: object((min, value) => (keysOf(value).length < min ? `must have at least ${plural(min, 'member')}` : undefined)),
    maxProperties: object((max, value) => (keysOf(value).length > max ? `must have at most ${plural(max, 'member')}` : undefined)),
    propertyNames: object((schema, value, pointer) => firstOf(keysOf(value), (key) => fault(schema, key, step(pointer, key)))),
    properties: object((schemas, value, pointer) =>
      firstOf(Object.keys(schemas), (key) => (has(value, key) ? fault(schemas[key], value[key], step(pointer, key)) : undefined))),
    patternProperties: object((schemas, value, pointer) =>
      firstOf(keysOf(value), (key) =>
        firstOf(Object.keys(schemas), (pattern) => (matches(pattern, key) ? fault(schemas[pattern], value[key], step(pointer, key)) : undefined)))),
    additionalProperties: object((schema, value, pointer, { properties = {}, patternProperties = {} }) =>
      firstOf(keysOf(value), (key) => {
        if (Object.hasOwn(properties, key) || Object.keys(patternProperties).some((pattern) => matches(pattern, key))) return undefined;
        return schema === false ? { pointer: step(pointer, key), problem: 'is not a known member' } : fault(schema, value[key], step(pointer, key));
      })),
    dependentRequired: object((lists, value, pointer) =>
      firstOf(Object.keys(lists), (key) => (has(value, key) ? keywords.required(lists[key], value, pointer) : undefined))),
    dependentSchemas: object((schemas, value, pointer) =>
      firstOf(Object.keys(schemas), (key) => (has(value, key) ? fault(schemas[key], value, pointer) : undefined))),
    allOf: (schemas, value, pointer) => firstOf(schemas, (each) => fault(each, value, pointer)),
    anyOf: (schemas, value, pointer) => (schemas.some((each) => fits(each, value)) ? undefined : none(schemas, value, pointer)),
    oneOf: (schemas, value, pointer) => {
      const count = schemas.filter((each) => fits(each, value)).length;
      return count === 0 ? none(schemas, value, pointer) : count > 1 ? 'matches several alternatives' : undefined;
    },
    not: (schema, value) => (fits(schema, value) ? 'matches a schema that it must not match' : undefined),
    if: (schema, value, pointer, { then = true, else: otherwise = true }) => fault(fits(schema, value) ? then : otherwise, value, pointer),
  };

  return {
    is: (type) => (value) => fits(bundle.$defs[type], value),
    parse: (type) => (text) => {
      const value = JSON.parse(text);
      const found = fault(bundle.$defs[type], value, '');
      if (found) throw new InvalidValue(type, found);
      return value;
    },
  };
}
