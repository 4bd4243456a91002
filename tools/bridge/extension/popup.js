// The popup: reads the code, and shows the state of the connection in plain sentences.
import { serverUrl } from './settings.js';

const byId = (id) => document.getElementById(id);

const refusals = {
  INVALID_TOKEN: 'The server does not know this code. Check it, or ask your AI host for a new one.',
  TOKEN_EXPIRED: 'This code has expired. Ask your AI host for a new one.',
  TOKEN_ALREADY_USED: 'This code was used before. Ask your AI host for a new one.',
  VERSION_MISMATCH: 'This extension and the server do not fit together. Install the same version of both.',
  CONNECTION_LIMIT: 'Too many browsers are connected to the server. Disconnect one of them, and try again.',
  SESSION_ENDED: 'The server has ended the session. Ask your AI host for a new code.',
};
const ability = (permission) => (permission === 'execute_scripts' ? 'run JavaScript in the page' : permission.replaceAll('_', ' '));

// Whether a snapgen server answers at the address; undefined until this is known.
let answers;
async function probe() {
  const url = await serverUrl();
  answers = await new Promise((done) => {
    const socket = new WebSocket(url);
    socket.onopen = () => {
      socket.close();
      done(true);
    };
    socket.onerror = () => done(false);
  });
  await refresh();
}

// Returns the state's name and its sentence.
async function described({ state, error, pages, project }) {
  if (state === 'connecting') return ['connecting', 'Connecting …'];
  if (state === 'reconnecting') return ['reconnecting', 'The connection broke. Reconnecting …'];
  if (state === 'connected') {
    if (!pages) return ['connected', 'Connected. No Snap! page is open: open Snap!, or reload its page.'];
    if (project === undefined) return ['connected', 'Connected. The Snap! page does not respond.'];
    return ['connected', project ? `Connected to the project “${project}”.` : 'Connected to a project without a name.'];
  }
  if (refusals[error]) return ['error', refusals[error]];
  if (answers === undefined) return ['idle', 'Not connected.'];
  if (answers) return ['waiting', 'Waiting for the code. Ask your AI host to connect to Snap!; it shows you a code.'];
  return ['idle', `Not connected: no snapgen server answers at ${new URL(await serverUrl()).host}. Start your AI host, or set the address in the options.`];
}

async function show(status) {
  const [name, sentence] = await described(status);
  const state = byId('state');
  // A screen reader reads the sentence only when it changes.
  if (state.textContent !== sentence) state.textContent = sentence;
  state.dataset.state = name;
  byId('permissions').textContent = status.permissions ? `Your AI host may ${status.permissions.map(ability).join(', ')}.` : '';
  byId('pair').hidden = status.state === 'connected';
  byId('leave').hidden = status.state === 'idle';
}
const send = (message) => chrome.runtime.sendMessage(message).then(show);
const refresh = () => send({ action: 'state' });

byId('pair').addEventListener('submit', async (event) => {
  event.preventDefault();
  await send({ action: 'connect', url: await serverUrl(), code: byId('code').value.trim() });
  await probe();
});
byId('leave').addEventListener('click', () => send({ action: 'disconnect' }).then(probe));
byId('options').addEventListener('click', () => chrome.runtime.openOptionsPage());
setInterval(refresh, 1000);
void probe();
