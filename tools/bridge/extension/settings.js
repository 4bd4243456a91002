// The settings that the options page changes: the address of the server, and the sites with Snap! that the user added.

// Returns the WebSocket URL of the server.
export async function serverUrl() {
  const { url = 'ws://127.0.0.1:8765/' } = await chrome.storage.local.get('url');
  return url;
}

// Reads the address of a server as a person writes it: a port, a host with a port, or a URL. Undefined if it is none.
export function parsedServer(text) {
  const address = /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
  try {
    const url = new URL(address.includes('://') ? address : `ws://${address}`);
    return ['ws:', 'wss:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

// Reads the address of a page of a site. Returns the pattern of all pages of its host; undefined if the text is none.
// Firefox rejects patterns with a port, and a pattern without one matches all ports.
export function parsedSite(text) {
  const scheme = /^(localhost|127\.)/.test(text) ? 'http' : 'https';
  try {
    const { protocol, hostname } = new URL(text.includes('://') ? text : `${scheme}://${text}`);
    return /^https?:$/.test(protocol) && !hostname.includes('*') ? `${protocol}//${hostname}/*` : undefined;
  } catch {
    return undefined;
  }
}

// Returns the patterns of the sites that the user added. The browser's permissions are the only list of them.
export async function addedSites() {
  const own = chrome.runtime.getManifest().content_scripts.flatMap((each) => each.matches);
  const { origins = [] } = await chrome.permissions.getAll();
  return origins.filter((each) => !own.includes(each)).sort();
}
