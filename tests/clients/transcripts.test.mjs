// Plays the transcripts of tests/transcripts over Streamable HTTP, except those that apply only to stdio.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));
const folder = join(import.meta.dirname, '../transcripts/cases');

// Transcripts that depend on one connection, which requests over HTTP do not share, or on lines and the end of a
// connection.
const elsewhere = {
  'lines, and bytes that no POST carries': ['line_ends', 'malformed'],
  'several requests at once, answered in order': ['batch', 'cancellation', 'duplicate_ids', 'host_claude_code', 'host_claude_code_legacy',
    'host_vs_code', 'many_in_flight', 'out_of_order', 'progress', 'slow_reader'],
  'the end of a connection': ['asking_legacy', 'end_with_calls'],
  'the order of an answer and of what another stream tells': ['list_changed_legacy', 'subscriptions'],
  'what one connection may have open': ['subscriptions_limits'],
  'metadata that headers must repeat, so that HTTP has its own answer': ['modern_meta'],
};

test('the transcripts pass over HTTP', { timeout: 300_000 }, () => {
  const all = readdirSync(folder).map((file) => file.replace('.txt', ''));
  const left = Object.values(elsewhere).flat();
  for (const name of left) assert.ok(all.includes(name), name);
  const played = all.filter((name) => !left.includes(name));
  assert.ok(played.length >= 30);
  const { status, stdout, stderr } = spawnSync(join(build, 'tests/transcripts/transcripts_test'),
    [`--gtest_filter=${played.map((name) => `*OverStdio/${name}`).join(':')}`],
    { encoding: 'utf8', env: { ...process.env, SNAPGEN_BUILD: build, SNAPGEN_WIRE_SERVER: join(import.meta.dirname, 'lines_over_http.mjs') } });
  assert.match(stdout, new RegExp(`\\[  PASSED  \\] ${played.length} tests`), stdout + stderr);
  assert.equal(status, 0);
});
