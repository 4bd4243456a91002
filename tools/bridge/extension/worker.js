// The extension's worker: owns the connection, and passes commands to the page where Snap! is open. `client/`
// contains the built snapgen-bridge package.
import { CommandFailure, ConnectRefused, SnapgenBridge } from './client/bridge.js';
import { addedSites } from './settings.js';

const commands = [
  'create_blocks', 'create_custom_block', 'delete_blocks', 'execute_script', 'export_project', 'highlight_blocks', 'inspect_state', 'read_project',
];

// The open pages with Snap!, the newest last.
const pages = [];
const waiting = new Map();
let bridge;
// The state of the bridge. `error` is a code of the server's refusal, or SESSION_ENDED.
let last = { state: 'idle' };

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'page') return;
  pages.push(port);
  port.onMessage.addListener((message) => {
    if (message.kind === 'event') bridge?.emit(message.type, message.payload);
    else if (message.kind === 'answer') waiting.get(message.id)?.(message);
  });
  port.onDisconnect.addListener(() => {
    pages.splice(pages.indexOf(port), 1);
    for (const [id, done] of [...waiting]) if (done.port === port) done({ id, error: { code: 'SNAP_NOT_LOADED', message: 'The page was closed.' } });
  });
});

// Sends a request to the newest page.
function ask(action, more = {}) {
  const port = pages.at(-1);
  if (!port) throw new CommandFailure('SNAP_NOT_LOADED', 'No page with Snap! is open.', undefined, ['Open Snap! in the browser with the extension.']);
  return new Promise((done, fail) => {
    const id = crypto.randomUUID();
    const settle = ({ error, value }) => {
      waiting.delete(id);
      if (error) fail(new CommandFailure(error.code, error.message, error.details, error.recovery_suggestions));
      else done(value);
    };
    settle.port = port;
    waiting.set(id, settle);
    port.postMessage({ id, action, ...more });
  });
}

const badges = { connected: '✓', reconnecting: '…' };

function make(url) {
  const made = new SnapgenBridge({
    url,
    clientInfo: {
      extension_version: chrome.runtime.getManifest().version, browser: /(Chrom\w+|Firefox)\/\S+/.exec(navigator.userAgent)?.[0] ?? 'unknown',
      user_agent: navigator.userAgent.slice(0, 512),
    },
    handlers: Object.fromEntries(commands.map((name) => [name, (payload, { options }) => ask('command', { command: name, payload, options })])),
    confirm: (message) => ask('confirm', { text: message.type === 'batch_command' ? `${message.commands.length} commands` : message.command }),
    checkpoint: async () => {
      const number = await ask('checkpoint');
      return () => ask('rollback', { number });
    },
    onstate: (state, error) => {
      if (bridge !== made) return;  // A connection that another one has replaced.
      last = { state, error: error instanceof ConnectRefused ? 'SESSION_ENDED' : undefined };
      void chrome.action.setBadgeText({ text: badges[state] ?? '' });
    },
    // The session is stored until the browser ends, because the browser may end a worker at any time.
    onsession: (session) => {
      if (bridge === made) void (session ? chrome.storage.session.set({ saved: { url, session } }) : chrome.storage.session.remove('saved'));
    },
  });
  bridge = made;
  return made;
}

async function connect({ url, code }) {
  await bridge?.disconnect();
  try {
    await make(url).connect(code);
  } catch (error) {
    last.error = error.code;
  }
}

const resumeDelay = 5000;

// Resumes the session of a worker that the browser has ended. Tries again while the server cannot be reached.
async function resume() {
  const { saved } = await chrome.storage.session.get('saved');
  if (!saved || last.state !== 'idle') return;
  make(saved.url).resume(saved.session).catch(() => setTimeout(resume, resumeDelay));
}
const started = resume();

// Firefox ends a background page after 30 s without an event of the extension, even if a WebSocket is in use.
const aliveInterval = 20_000;
chrome.storage.onChanged.addListener(() => {});
setInterval(() => {
  if (last.state !== 'idle') void chrome.storage.session.set({ alive: Date.now() });
}, aliveInterval);

// Returns the name of the project in the newest page; undefined if the page does not respond.
const projectName = () => Promise.race([
  ask('command', { command: 'read_project', payload: { include: {} } }).then(({ project }) => project.name),
  new Promise((done) => setTimeout(done, 500)),
]).catch(() => {});

async function status() {
  await started;
  const session = bridge?.session;
  return { ...last, permissions: session?.permissions, pages: pages.length, project: session && pages.length > 0 ? await projectName() : undefined };
}

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  // Accepts messages of the popup only; content scripts have the page's address.
  if (!sender.url?.startsWith(chrome.runtime.getURL(''))) return false;
  const actions = { connect: () => connect(message), disconnect: () => bridge?.disconnect(), state: () => {} };
  Promise.resolve(actions[message.action]()).then(status).then(answer);
  return true;
});

// Registers the content scripts for the sites that the user added, one change after the other.
const scripts = [{ id: 'page', js: ['page.js'], world: 'MAIN' }, { id: 'relay', js: ['relay.js'] }];
let registered = Promise.resolve();
function register() {
  registered = registered.then(async () => {
    const matches = await addedSites();
    await chrome.scripting.unregisterContentScripts();
    if (matches.length > 0) await chrome.scripting.registerContentScripts(scripts.map((each) => ({ ...each, matches, runAt: 'document_idle' })));
  });
}
for (const event of [chrome.permissions.onAdded, chrome.permissions.onRemoved, chrome.runtime.onInstalled]) event.addListener(register);
