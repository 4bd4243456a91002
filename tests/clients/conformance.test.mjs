// The official conformance suite must pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { conformance, revisions } from './conformance.mjs';

for (const [revision, count] of Object.entries(revisions)) {
  test(`the conformance suite passes, ${revision}`, async () => {
    const { passed, failed, unscored, output } = await conformance(revision);
    assert.deepEqual(failed, [], output);
    assert.equal(passed.length, count, output);
    assert.deepEqual(unscored.failed, [], output);
  });
}
