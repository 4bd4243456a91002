// The calls that the stand-in model makes in every host: two sessions, one after the other, in one repository, and two with hooks in another.
// Each generator yields calls and receives the text that the model received (model.mjs).
import { long_lines } from './project.mjs';

const call = (step, tool, input) => ({ step, tool, input });
const idIn = (text, pattern) => pattern.exec(text ?? '')?.[0];
const lease_id = /lease_[a-z2-7]{16}/;
const snapshot_id = /snap_[0-9a-f]{10}/;

// Returns the numbers of the long file's lines that are in a text.
export const linesIn = (text) => new Set([...text.matchAll(/line (\d{6}) of a long file/g)].map((match) => Number(match[1])));

// The maximum number of reads of a long file.
const reads_max = 60;

// Reads a file to its end as the answers tell a model to: it continues at the next line that the answer names or, if the answer only says
// that it was truncated, after the last line in it.
function* readToEnd(path) {
  let input = { path };
  let reached = 0;
  for (let reads = 0; reads < reads_max; ++reads) {
    const text = yield call('read 300 KB', 'snapshot_file', input);
    const last = Math.max(0, ...linesIn(text));
    if (last >= long_lines || last <= reached) return;
    reached = last;
    const named = /start_line\W{1,4}(\d+)/.exec(text);
    if (!named && !/"truncated": ?true|truncated/.test(text)) return;
    input = { path, start_line: named ? Number(named[1]) : last + 1 };
  }
}

const fitting = `--- a/src/greet.py
+++ b/src/greet.py
@@ -1,3 +1,3 @@
 def greet(name):
-    return "good morning " + name
+    return "good evening " + name
${' '}
`;
const newFile = `--- /dev/null
+++ b/src/farewell.py
@@ -0,0 +1,2 @@
+def farewell(name):
+    return "goodbye " + name
`;
const misfit = fitting.replace('"good morning "', '"good night "');

export function* first() {
  const listed = yield call('list', 'snapshot_list', { recursive: true });
  const lease = idIn(listed, lease_id);
  const under = lease ? { lease_id: lease } : {};
  yield call('search', 'snapshot_grep', { pattern: 'greet', ...under });
  yield call('read', 'snapshot_file', { path: 'src/greet.py', ...under });
  yield* readToEnd('data/long.txt');
  yield call('wrong path', 'snapshot_file', { path: 'src/gret.py' });
  yield call('wrong argument', 'snapshot_file', { path: 'src/greet.py', first_line: 1 });
  const begun = yield call('begin a task', 'snap', { mode: 'start', task: 'greet in the evening', files: ['src/greet.py'] });
  yield call('write', 'workspace_write_file', { path: 'src/farewell.py', content: 'def farewell(name):\n    return "goodbye " + name\n' });
  yield call('patch that does not fit', 'workspace_apply_patch', { patch: misfit });
  yield call('patch that fits', 'workspace_apply_patch', { patch: fitting });
  yield call('check', 'check', { mode: 'quick' });
  yield call('end the task', 'snap_end', { outcome: 'completed', learnings: ['greetings depend on the time of day'] });
  yield call('restore', 'snap_fix', { action: 'restore', id: idIn(begun, snapshot_id) ?? 'unknown' });
}

export function* second() {
  yield call('what there is to undo', 'snap_fix', { action: 'list' });
  yield call('read after the restore', 'snapshot_file', { path: 'src/greet.py' });
  yield call('where the work stands', 'snap', { mode: 'context' });
}

// The shell command that destroys the work in the sessions with hooks.
export const accidentOf = (host) => host.accident ?? 'git checkout -q -- . && git clean -fdq';

// A patch, whose changes the history records together, and their destruction. `recorded(changes)` waits until the history lists these changes.
export function* work(host, recorded) {
  yield call('work', 'workspace_apply_patch', { patch: fitting + newFile });
  const ready = () => recorded({ 'src/greet.py': 'modified', 'src/farewell.py': 'created' });
  yield { step: 'destroy by shell', tool: 'shell', isBuiltIn: true, native: host.shell(accidentOf(host)), ready };
}

// The model takes back the latest moment, which is the accident, and asks how to take back the rewind.
export function* rewind(host, recorded) {
  const ready = () => recorded({ 'src/greet.py': 'modified', 'src/farewell.py': 'deleted' });
  const listed = yield { ...call('what destroyed it', 'history_list', { paths: ['src'] }), ready };
  const rewound = yield call('rewind', 'history_rewind', { target: idIn(listed, /\bm\d+\b/) ?? 'unknown' });
  yield call('dry run of an undo', 'history_undo', { target: idIn(rewound, /(?<=undo.with\W+)m\d+/) ?? 'unknown', dry_run: true });
}

export const historySessions = [
  { name: 'session with an accident', prompt: 'Greet people in the evening, then tidy up.', play: work },
  { name: 'session with a rewind', prompt: 'My work is gone. Return it.', play: rewind },
];

// The prompt is the same in these sessions, so that first requests can be compared.
export const prompt = 'Greet people in the evening.';

export const sessions = [
  { name: 'first session', play: first },
  { name: 'second session', play: second },
];

// The profile `first` as README.md describes it.
export const first_settings = {
  profiles: { first: { tools: ['snapshot_create', 'snapshot_grep', 'snapshot_file', 'workspace_apply_patch', 'snap_fix'] } },
};

// The sentences that must reach the model, whatever the host does with an error.
export const sentences = {
  'wrong path': /did you mean src\/greet\.py/,
  'wrong argument': /unknown (property|argument)[^.]{0,20}first_line/i,
};
