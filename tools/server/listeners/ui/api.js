// The API of `snap ui`. The URL has a token that works once; it is exchanged for a secret, which is stored for this
// origin, so that a reload and a second tab can use it. A copy that `snap report` saved has the answers in the page.

const key = 'snapgen-session';
const expired = 'This link cannot be used. Run snap ui in the workspace, and open the link that it prints.';
const ended = 'snap ui has ended. Start it again, and open the link that it prints.';

const saved = JSON.parse(document.getElementById('saved')?.textContent ?? 'null');
export const isCopy = saved !== null;
// What of the saved changes has no diff in the copy: this turn or moment, and everything before it.
export const leftOut = saved?.left_out;

let session = null;
const authorization = (secret) => ({ Authorization: `Bearer ${secret}` });

// Sends a request. Errors have a sentence for the user; an aborted request rejects with AbortError.
async function send(path, options) {
  const response = await fetch(path, options).catch((error) => {
    throw error.name === 'AbortError' ? error : new Error(ended);
  });
  if (response.ok) return response;
  if (response.status !== 401) throw new Error(await response.text());
  localStorage.removeItem(key);
  throw new Error(expired);
}

// Begins a session, or continues the stored one. Resolves to the folder of the workspace.
export async function open() {
  if (isCopy) return saved.workspace;
  const url = new URL(location.href);
  const token = url.searchParams.get('token');
  if (token) {
    url.searchParams.delete('token');
    history.replaceState(null, '', url);
    const response = await send('/api/session', { method: 'POST', headers: authorization(token) });
    localStorage.setItem(key, await response.text());
  }
  session = JSON.parse(localStorage.getItem(key));
  if (!session) throw new Error(expired);
  return session.workspace;
}

const onlyOf = (paths) => ({ path }) => !paths || paths.some((each) => path === each || path.startsWith(`${each.replace(/\/$/, '')}/`));

// Returns the moments that changed one of the paths.
function changesOf({ turns, ...list }, paths) {
  const only = (moment) => ({ ...moment, changes: moment.changes.filter(onlyOf(paths)) });
  const found = turns.map((turn) => ({ ...turn, moments: turn.moments.map(only).filter(({ changes }) => changes.length > 0) }));
  return { ...list, turns: found.filter(({ moments }) => moments.length > 0) };
}

function savedAnswer(name, { target, paths }) {
  if (name === 'work') return saved.work;
  if (name === 'history_list') return paths && !saved.changes.error ? changesOf(saved.changes, paths) : saved.changes;
  const answer = saved.diffs.find(({ targets }) => targets.includes(target))?.answer;
  if (!answer) return { error: { message: `This copy has no diff of ${target}, because only the latest diffs fit.` } };
  return answer.error ? answer : { ...answer, files: answer.files.filter(onlyOf(paths)) };
}

async function sentAnswer(name, body, signal) {
  const response = await send(`/api/${name}`, {
    method: 'POST', body: JSON.stringify(body), signal, headers: { ...authorization(session.session), 'Content-Type': 'application/json' },
  });
  return response.json();
}

// Calls a tool, or asks for a diff or the work. Resolves to its answer.
export async function call(name, body, signal) {
  const answer = isCopy ? savedAnswer(name, body) : await sentAnswer(name, body, signal);
  if (answer.error) throw new Error(answer.error.message);
  return answer;
}

// Calls `opened` once, and `changed` after each change of the history. Rejects when the server ends.
export async function watch(opened, changed) {
  const response = await send('/api/changes', { headers: authorization(session.session) });
  opened();
  const reader = response.body.getReader();
  for (let done = false; !done;) {
    ({ done } = await reader.read().catch(() => ({ done: true })));
    if (!done) changed();
  }
  throw new Error(ended);
}
