// Makes elements and texts. Data becomes text nodes and attributes, and never markup.

// Returns an element. `attributes`: strings, true for an empty attribute, or functions, which become listeners of the
// event with this name. Children are nodes and texts; null and undefined are left out.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (label, click, attributes = {}) => element('button', { type: 'button', click, ...attributes }, label);

export const byId = (id) => document.getElementById(id);

export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const seconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export const dayOf = (iso) => {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(iso).setHours(0, 0, 0, 0)) / 86_400_000);
  return days === 0 ? 'Today' : days === 1 ? 'Yesterday' : date.format(new Date(iso));
};

// Returns the local time; `exact` is with seconds. The title is the whole date.
export const time = (iso, exact = false) =>
  element('time', { datetime: iso, title: whole.format(new Date(iso)) }, (exact ? seconds : clock).format(new Date(iso)));

// Hosts name files by their absolute paths, which are shown relative to this folder.
let workspace = '';
export const setWorkspace = (folder) => { workspace = `${folder}/`; };

// Returns what changed a file, such as "Bash: rm -rf build", as a label.
export function author(by) {
  const kind = by === 'server' || by === 'outside' ? by : 'tool';
  const title = { server: 'Changed through snapgen', outside: 'Changed by another program', tool: `Changed while the host ran ${by}` }[kind];
  return element('span', { class: `author ${kind}`, title }, by.replaceAll(workspace, ''));
}

// Returns a path whose folders are dim, and which breaks after a slash.
export function path(text) {
  const cut = text.lastIndexOf('/') + 1;
  return element('bdi', { class: 'path' }, cut > 0 ? element('span', { class: 'folder' }, text.slice(0, cut)) : null, text.slice(cut));
}

export const problem = (error) => element('p', { class: 'problem', role: 'alert' }, error.message);
