// The extension's worker: owns the connection, and passes commands to the page where Snap! is open. `client/`
// contains the built snapgen-bridge package.
import { CommandFailure, SnapgenBridge } from './client/bridge.js';

const commands = [
  'create_blocks', 'create_custom_block', 'delete_blocks', 'execute_script', 'export_project', 'highlight_blocks', 'inspect_state', 'read_project',
];

// The open pages with Snap!, the newest last.
const pages = [];
const waiting = new Map();
let bridge;
let last = { state: 'idle', error: '' };

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

function make(url) {
  bridge = new SnapgenBridge({
    url,
    clientInfo: { extension_version: chrome.runtime.getManifest().version, browser: /Chrom\w+\/\S+/.exec(navigator.userAgent)?.[0] ?? 'unknown', user_agent: navigator.userAgent.slice(0, 512) },
    handlers: Object.fromEntries(commands.map((name) => [name, (payload, { options }) => ask('command', { command: name, payload, options })])),
    confirm: (message) => ask('confirm', { text: message.type === 'batch_command' ? `${message.commands.length} commands` : message.command }),
    checkpoint: async () => {
      const number = await ask('checkpoint');
      return () => ask('rollback', { number });
    },
    onstate: (state, error) => { last = { state, error: error?.message ?? '' }; },
    // The session is stored until the browser ends, because the browser may end a worker at any time.
    onsession: (session) => { void (session ? chrome.storage.session.set({ saved: { url, session } }) : chrome.storage.session.remove('saved')); },
  });
  return bridge;
}

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  // Accepts messages of the popup only; content scripts have the page's address.
  if (!sender.url?.startsWith(chrome.runtime.getURL(''))) return false;
  const act = async () => {
    if (message.action === 'connect') {
      await bridge?.disconnect();
      await make(message.url).connect(message.code);
    } else if (message.action === 'disconnect') {
      await bridge?.disconnect();
    }
    return { ...last, session: bridge?.session?.session_id, permissions: bridge?.session?.permissions, pages: pages.length };
  };
  act().then(answer, (error) => answer({ ...last, error: error.message, pages: pages.length }));
  return true;
});

chrome.storage.session.get('saved').then(({ saved }) => {
  if (saved && !bridge) make(saved.url).resume(saved.session).catch(() => {});
});
