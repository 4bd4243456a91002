// The status page polls the server every second and updates what changed. It inserts data only as text.
'use strict';

const byId = (id) => document.getElementById(id);
const time = (text) => new Date(text).toLocaleTimeString();
const milliseconds = (value) => (value === undefined ? '' : `${value.toFixed(1)} ms`);

// `rows` have cells that are text or [text, class]. The DOM changes only if the rows differ.
function fill(id, rows, nothing) {
  const body = byId(id);
  const key = JSON.stringify(rows);
  if (body.dataset.key === key) return;
  body.dataset.key = key;
  const shown = rows.length > 0 ? rows : [[nothing]];
  body.replaceChildren(...shown.map((cells) => {
    const row = document.createElement('tr');
    for (const each of cells) {
      const cell = document.createElement('td');
      const [text, kind] = Array.isArray(each) ? each : [each, ''];
      cell.textContent = text;
      if (kind) cell.className = kind;
      row.append(cell);
    }
    return row;
  }));
}

function show(state) {
  const connected = state.browsers.filter((each) => each.connected).length;
  byId('state').textContent = connected === 0 ? 'No browser is connected.' : connected === 1 ? 'One browser is connected.' : `${connected} browsers are connected.`;
  fill('browsers', state.browsers.map((each) => [
    each.session_id,
    each.connected ? ['connected', 'good'] : ['away', 'bad'],
    each.client_info.browser ?? '',
    each.permissions.join(', '),
    each.commands_in_flight > 0 ? `${each.commands}, ${each.commands_in_flight} in flight` : `${each.commands}`,
    milliseconds(each.latency_ms),
  ]), 'none');
  fill('pairings', state.pairings.map((each) => [time(each.expires_at), each.permissions.join(', '), each.asked_for ? 'a person' : 'the host']), 'none');
  fill('commands', state.commands.map((each) => [
    time(each.at), each.command, each.session_id, milliseconds(each.round_trip_ms), [each.outcome, each.outcome === 'success' ? 'good' : 'bad'],
  ]), 'none yet');
  byId('dropped').textContent = String(state.events.dropped);
}

async function ask() {
  try {
    const answer = await fetch('/status.json', { cache: 'no-store' });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
  } catch {
    byId('state').textContent = 'The server does not answer.';
  }
  setTimeout(ask, 1000);
}
ask();
