// The options page: sets the address of the server, and adds and removes sites with Snap!.
import { addedSites, parsedServer, parsedSite, serverUrl } from './settings.js';

const byId = (id) => document.getElementById(id);
const shown = (pattern) => pattern.replace(/\/\*$/, '');

byId('server').addEventListener('submit', async (event) => {
  event.preventDefault();
  const url = parsedServer(byId('url').value.trim());
  if (!url) {
    byId('server-state').textContent = 'This is not an address. Write a port such as 8765, or an address such as ws://127.0.0.1:8765/.';
    return;
  }
  await chrome.storage.local.set({ url });
  byId('url').value = url;
  byId('server-state').textContent = 'Saved. The next connection uses this address.';
});

byId('add').addEventListener('submit', async (event) => {
  event.preventDefault();
  const site = parsedSite(byId('site').value.trim());
  if (!site) {
    byId('sites-state').textContent = 'This is not an address. Write one such as https://snap.example.org.';
    return;
  }
  // The browser asks the user, and accepts this call only directly after a click.
  const allowed = await chrome.permissions.request({ origins: [site] });
  byId('sites-state').textContent = allowed ? `Added ${shown(site)}. Reload its pages that are open.` : `The browser does not allow access to ${shown(site)}.`;
  if (allowed) byId('site').value = '';
});

async function showSites() {
  const fixed = chrome.runtime.getManifest().content_scripts[0].matches;
  const rows = [...fixed, ...(await addedSites())].map((pattern) => {
    const row = document.createElement('li');
    row.append(shown(pattern));
    if (!fixed.includes(pattern)) {
      const button = document.createElement('button');
      button.textContent = 'Remove';
      button.ariaLabel = `Remove ${shown(pattern)}`;
      button.addEventListener('click', () => chrome.permissions.remove({ origins: [pattern] }));
      row.append(button);
    }
    return row;
  });
  byId('sites').replaceChildren(...rows);
}
chrome.permissions.onAdded.addListener(showSites);
chrome.permissions.onRemoved.addListener(showSites);
void showSites();
const saved = await serverUrl();
byId('url').value ||= saved;  // The user may have begun to write.
