// The popup: reads the code and shows the state of the connection.
'use strict';

const byId = (id) => document.getElementById(id);

function show({ state, error, session, permissions, pages }) {
  const words = { idle: 'Not connected.', connecting: 'Connecting …', connected: `Connected as ${session}.`, reconnecting: 'The connection broke; trying again …' };
  byId('state').textContent = [words[state], error, pages ? '' : 'No Snap! page is open.'].filter(Boolean).join(' ');
  byId('state').dataset.state = state;
  byId('permissions').textContent = permissions ? `The host may: ${permissions.join(', ')}.` : '';
  byId('pair').hidden = state === 'connected';
  byId('leave').hidden = state === 'idle';
}
const tell = (message) => chrome.runtime.sendMessage(message).then(show);

byId('pair').addEventListener('submit', (event) => {
  event.preventDefault();
  void tell({ action: 'connect', url: byId('url').value.trim(), code: byId('code').value.trim() });
});
byId('leave').addEventListener('click', () => void tell({ action: 'disconnect' }));
setInterval(() => void tell({ action: 'state' }), 1000);
void tell({ action: 'state' });
