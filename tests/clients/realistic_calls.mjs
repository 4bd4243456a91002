// Sixty calls that an agent might make in a session of an hour: it explores, reads, edits, makes mistakes, checks and
// undoes. Tests count the tokens of the answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './judge.mjs';

// Source files of various sizes.
const sources = ['LICENSE', 'runtime/base/text.cc', 'runtime/base/text.h', 'runtime/json/pointer.cc', 'runtime/json/pointer.h', 'runtime/json/proposal.cc',
  'runtime/mcp/roots.cc', 'runtime/mcp/outbox.h', 'runtime/mcp/backlog.cc', 'runtime/mcp/backlog.h', 'runtime/mcp/page.cc', 'runtime/mcp/page.h', 'runtime/mcp/render.h',
  'runtime/mcp/revision.cc', 'runtime/mcp/revision.h', 'runtime/mcp/rpc.h', 'runtime/mcp/roots.h', 'tests/clients/sdks.mjs'];
export const files = () => Object.fromEntries(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

const lineOf = (path, pattern) => files()[path].split('\n').findIndex((line) => pattern.test(line)) + 1;

// Returns a hunk that replaces one line.
const patch = (path, pattern, replacement, { wrong } = {}) => {
  const lines = files()[path].split('\n');
  const at = lineOf(path, pattern);
  return `--- a/${path}\n+++ b/${path}\n@@ -${at},1 +${at},1 @@\n-${wrong ?? lines[at - 1]}\n+${replacement}\n`;
};

// Each call is [tool, arguments]; `lease`, `snapshot` and `blob` are those of the previous answers.
export const calls = ({ lease, snapshot, blob }) => [
  ['snap', { mode: 'start', task: 'rename the cursor of lists', files: ['runtime/mcp/page.cc'] }],
  ['snapshot_create', { paths: ['.'], message: 'before the change' }],
  ['snapshot_list', {}],
  ['snapshot_list', { path: 'runtime/mcp' }],
  ['snapshot_list', { recursive: true }],
  ['snapshot_grep', { pattern: 'cursor' }],
  ['snapshot_grep', { pattern: 'page_begin\\(', lease_id: lease() }],
  ['snapshot_grep', { pattern: 'std::optional<', globs: ['*.h'], lease_id: lease() }],
  ['snapshot_grep', { pattern: 'Revision::', context: 2, paths: ['runtime/mcp/revision.cc'] }],
  ['snapshot_file', { path: 'runtime/mcp/page.cc' }],
  ['snapshot_file', { path: 'runtime/mcp/page.h', lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/page.cc', start_line: 20, end_line: 40, lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/pages.cc' }],
  ['snapshot_file', { path: 'runtime/mcp/page.h', first_line: 3 }],
  ['snapshot_file', { path: 'runtime/mcp/roots.h', lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/rpc.h', lease_id: lease() }],
  ['workspace_apply_patch', { patch: patch('runtime/mcp/page.cc', /FNV-1a/, '// FNV-1a over all entries, which tells one list from another.'), lease_id: lease() }],
  ['workspace_apply_patch', { patch: patch('runtime/mcp/page.h', /^#pragma once/, '#pragma once  // once', { wrong: '#pragma twice' }), lease_id: lease() }],
  ['workspace_apply_patch', { patch: patch('runtime/mcp/page.h', /^#pragma once/, '#pragma once  // once'), lease_id: lease() }],
  ['snapshot_diff', {}],
  ['snapshot_changes', { snapshot_id: snapshot() }],
  ['check', { mode: 'quick' }],
  ['snapshot_file', { path: 'runtime/mcp/revision.h', start_line: 1, end_line: 15 }],
  ['snapshot_file', { path: 'runtime/mcp/revision.cc', start_line: 5, end_line: 20, lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/backlog.h', start_line: 15, end_line: 30, lease_id: lease() }],
  ['snapshot_grep', { pattern: 'ask_question', lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/ask_question.h', lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/ask_question.cc', lease_id: lease() }],
  ['workspace_write_file', { path: 'runtime/mcp/notes.md', content: '# Notes\n\nCursors are opaque.\n', expected_blob: 'absent' }],
  ['workspace_write_file', { path: 'runtime/mcp/notes.md', content: '# Notes\n\nCursors are opaque to clients.\n', lease_id: lease() }],
  ['snapshot_file', { path: 'runtime/mcp/notes.md', lease_id: lease() }],
  ['workspace_write_file', { path: 'runtime/mcp/notes.md', content: 'x\n', expected_blob: blob() }],
  ['workspace_write_file', { path: 'runtime/mcp/notes.md', content: 'y\n', expected_blob: blob() }],
  ['snapshot_diff', { paths: ['runtime/mcp/notes.md'], untracked: true }],
  ['snapshot_grep', { pattern: 'notes', fixed: true }],
  ['snapshot_list', { path: 'runtime/mcp', recursive: true }],
  ['snap_learn', { trigger: 'a list is cut', action: 'continue with its cursor', type: 'pattern' }],
  ['check', { mode: 'impact', files: ['runtime/mcp/page.h'] }],
  ['snapshot_file', { path: 'LICENSE', start_line: 1, end_line: 12 }],
  ['snapshot_info', { snapshot_id: snapshot() }],
  ['snapshot_file', { path: 'runtime/mcp/page.h', snapshot_id: snapshot(), start_line: 1, end_line: 10 }],
  ['snapshot_grep', { pattern: 'namespace', snapshot_id: snapshot(), paths: ['runtime/base'] }],
  ['snapshot_changes', { snapshot_id: snapshot(), paths: ['runtime/mcp'] }],
  ['workspace_delete', { path: 'runtime/mcp/notes.md' }],
  ['snapshot_list', { path: 'runtime/base' }],
  ['snapshot_file', { path: 'runtime/json/pointer.h' }],
  ['snapshot_grep', { pattern: 'Damerau', lease_id: lease() }],
  ['snapshot_grep', { pattern: 'no such text at all' }],
  ['snapback_prepare_workspace', {}],
  ['snapback_session', { op: 'start', task: 'sort the entries', files: ['runtime/mcp/page.cc'] }],
  ['snapback_validate', { mode: 'quick' }],
  ['snapback_session', { op: 'end', learnings: ['entries are sorted by name'] }],
  ['snapshot_create', { paths: ['runtime/mcp'] }],
  ['workspace_apply_patch', { patch: patch('runtime/mcp/rpc.h', /^#pragma once/, '#pragma once  // rpc'), dry_run: true }],
  ['snapshot_diff', { against: snapshot() }],
  ['snap', { mode: 'context' }],
  ['snap_fix', { action: 'list' }],
  ['snap_fix', { action: 'diff', id: snapshot() }],
  ['snap_fix', { action: 'restore', id: snapshot() }],
  ['snap_end', { outcome: 'completed', learnings: ['cursors are opaque'] }],
];
