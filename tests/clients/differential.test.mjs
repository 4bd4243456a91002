// Compares our evaluator with ajv on random schemas and values. (ajv computes with doubles and our evaluator with
// decimals, so only numbers for which both agree are used.) The seeds are printed; SNAPGEN_SEED repeats one.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import Ajv2020 from 'ajv/dist/2020.js';
import Ajv from 'ajv';

import { judge } from './judge.mjs';

// A small random number generator (mulberry32) with equal results on every machine.
class Random {
  constructor(seed) { this.state = seed >>> 0; }
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(count) { return Math.floor(this.next() * count); }
  oneIn(count) { return this.below(count) === 0; }
  of(list) { return list[this.below(list.length)]; }
  some(list) { return list.filter(() => this.oneIn(2)); }
}

const keys = ['a', 'b', 'ab', 'c'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function value(random, depth = 0) {
  switch (random.below(depth > 2 ? 5 : 8)) {
    case 0: return null;
    case 1: return random.oneIn(2);
    case 2: return random.of([-2, -1, 0, 1, 2, 3, 6]);
    case 3: return random.of([-1.5, 0.5, 2.25, 1e15]);
    case 4: return random.of(['', 'a', 'b', 'ab', 'abc', '\u00e9', '\u{1F600}\u{1F600}']);
    case 5: return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    default: return Object.fromEntries(random.some(keys).map((key) => [key, value(random, depth + 1)]));
  }
}

// Keywords by name, each with a function that makes a value for it. `inner` makes a schema for the same instance,
// `child` one for a part of the instance, where references cannot form a cycle.
const common = {
  type: (r) => (r.oneIn(3) ? [...new Set([r.of(types), r.of(types)])] : r.of(types)),
  enum: (r) => { const all = [value(r), value(r), value(r)]; return all.filter((each, i) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(each)) === i); },
  const: (r) => value(r),
  minimum: (r) => r.of([-1, 0, 1.5]), maximum: (r) => r.of([0, 1, 2.5]),
  exclusiveMinimum: (r) => r.of([-1, 0, 1]), exclusiveMaximum: (r) => r.of([1, 2, 3]),
  multipleOf: (r) => r.of([1, 2, 3, 0.5]),
  minLength: (r) => r.below(3), maxLength: (r) => r.below(3), pattern: (r) => r.of(['a', '^b', 'b$', '^[^a]*$', '\\S']),
  minItems: (r) => r.below(3), maxItems: (r) => r.below(3), uniqueItems: () => true,
  minProperties: (r) => r.below(3), maxProperties: (r) => r.below(4), required: (r) => r.some(keys),
  properties: (r, inner, child) => Object.fromEntries(r.some(keys).map((key) => [key, child()])),
  patternProperties: (r, inner, child) => ({ [r.of(['a', '^b', 'c$'])]: child() }),
  additionalProperties: (r, inner, child) => child(), propertyNames: (r, inner) => inner(),
  contains: (r, inner, child) => child(),
  allOf: (r, inner) => [inner(), inner()], anyOf: (r, inner) => [inner(), inner()], oneOf: (r, inner) => [inner(), inner()],
  not: (r, inner) => inner(), if: (r, inner) => inner(), then: (r, inner) => inner(), else: (r, inner) => inner(),
};
const drafts = {
  2020: {
    ...common, items: (r, inner, child) => child(), prefixItems: (r, inner, child) => [child(), child()],
    minContains: (r) => r.below(3), maxContains: (r) => r.below(3),
    dependentRequired: (r) => ({ [r.of(keys)]: r.some(keys) }), dependentSchemas: (r, inner) => ({ [r.of(keys)]: inner() }),
    unevaluatedProperties: (r, inner, child) => (r.oneIn(2) ? false : child()),
  },
  7: {
    ...common, items: (r, inner, child) => (r.oneIn(2) ? child() : [child(), child()]), additionalItems: (r, inner, child) => child(),
    dependencies: (r, inner) => ({ [r.of(keys)]: r.oneIn(2) ? r.some(keys) : inner() }),
  },
};

function schema(random, keywords, definitions, depth = 0, isChild = false) {
  if (random.oneIn(12)) return random.oneIn(3) ? false : true;
  if (isChild && random.oneIn(6)) return { $ref: `#/${definitions}/${random.of(['x', 'y'])}` };
  const inner = () => schema(random, keywords, definitions, depth + 1, isChild);
  const child = () => schema(random, keywords, definitions, depth + 1, true);
  const out = {};
  const names = Object.keys(keywords);
  for (let count = 1 + random.below(3); count > 0; --count) {
    const name = random.of(names);
    const holds = keywords[name].length > 1;
    if (!(holds && depth > 3)) out[name] = keywords[name](random, inner, child);
  }
  if ((out.then || out.else) && out.if === undefined) out.if = inner();
  // ajv lets an empty array pass `contains` next to schemas for single items.
  if (out.contains !== undefined) delete out.prefixItems;
  if (out.contains !== undefined && Array.isArray(out.items)) delete out.items;
  // ajv ignores that an `if` evaluates properties; the official suite requires it.
  if (JSON.stringify(out).includes('"if":')) delete out.unevaluatedProperties;
  return out;
}

function makeCases(random, draft, count) {
  const definitions = draft === '7' ? 'definitions' : '$defs';
  return Array.from({ length: count }, () => {
    const make = () => schema(random, drafts[draft], definitions);
    const root = make();
    if (typeof root === 'boolean') return { schema: root, values: [value(random)] };
    root[definitions] = { x: make(), y: make() };
    if (draft === '7') root.$schema = 'http://json-schema.org/draft-07/schema#';
    return { schema: root, values: Array.from({ length: 12 }, () => value(random)) };
  });
}

// Returns the results of ajv, or undefined if ajv cannot compile the schema.
function secondOpinion(draft, { schema: asked, values }) {
  const options = { strict: false, validateFormats: false, ownProperties: true, logger: false, inlineRefs: false };
  const ajv = draft === '7' ? new Ajv(options) : new Ajv2020(options);
  try {
    const check = ajv.compile(asked);
    return values.map((each) => check(each));
  } catch {
    return undefined;
  }
}

for (const draft of Object.keys(drafts)) {
  test(`our evaluator and ajv agree on random schemas of draft ${draft}`, async () => {
    const seed = Number(process.env.SNAPGEN_SEED ?? 1);
    console.log(`SNAPGEN_SEED=${seed}`);
    const cases = makeCases(new Random(seed), draft, Number(process.env.SNAPGEN_CASES ?? 600));
    const ours = await judge(cases);
    let compared = 0;
    let fitting = 0;
    cases.forEach((each, i) => {
      const theirs = secondOpinion(draft, each);
      if (!theirs) return;
      assert.ok(Array.isArray(ours[i]), `seed ${seed}: ${ours[i]}: ${JSON.stringify(each.schema)}`);
      each.values.forEach((asked, j) => {
        ++compared;
        fitting += theirs[j] ? 1 : 0;
        assert.equal(ours[i][j], theirs[j], `seed ${seed}: ajv returns ${theirs[j]} for ${JSON.stringify(asked)} and the schema ${JSON.stringify(each.schema)}`);
      });
    });
    assert.ok(compared > cases.length * 6, `only ${compared} values were compared`);
    assert.ok(fitting > compared / 20 && fitting < compared, `${fitting} of ${compared} fit`);
  });
}
