// Makes elements and texts. Data becomes text nodes and attributes, and never markup.

// Returns an element. `attributes`: strings, true for an empty attribute, or functions, which become listeners of the
// event with this name. Children are nodes and texts; null and undefined are left out.
export const element = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

// Returns an element of an image.
export const svg = (tag, attributes, ...children) => filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

function filled(made, attributes = {}, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

// Replaces characters that reorder the text around them, or are invisible, by their codes.
const visible = (value) =>
  value.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

// Returns a text that a person or a model wrote. Its writing direction is isolated from the text around it.
export const bdi = (value, attributes) => element('bdi', attributes, visible(value));

export const button = (label, click, attributes = {}) => element('button', { type: 'button', click, ...attributes }, label);

export const byId = (id) => document.getElementById(id);

export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const seconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export const dayOf = (iso) => {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(iso).setHours(0, 0, 0, 0)) / 86_400_000);
  return days === 0 ? 'Today' : days === 1 ? 'Yesterday' : date.format(new Date(iso));
};

const timeIn = (format) => (iso) => element('time', { datetime: iso, title: whole.format(new Date(iso)) }, format.format(new Date(iso)));

// Return the local time; that of exactTime() has seconds, and that of instant() a date. The title is the whole date.
export const time = timeIn(clock);
export const exactTime = timeIn(seconds);
export const instant = timeIn(short);

// Hosts name files by their absolute paths, which are shown relative to this folder.
let workspace = '';
export const setWorkspace = (folder) => { workspace = `${folder}/`; };

// Returns what changed a file, such as "Bash: rm -rf build", as a label.
export function author(by) {
  const kind = by === 'server' || by === 'outside' ? by : 'tool';
  const title = { server: 'Changed through snapgen', outside: 'Changed by another program', tool: `Changed while the host ran ${by}` }[kind];
  return element('span', { class: `author ${kind}`, title }, visible(by.replaceAll(workspace, '')));
}

// Returns a path whose folders are dim, and which breaks after a slash.
export function path(name) {
  const cut = name.lastIndexOf('/') + 1;
  return element('bdi', { class: 'path' }, cut > 0 ? element('span', { class: 'folder' }, visible(name.slice(0, cut))) : null, visible(name.slice(cut)));
}

export const problem = (error) => element('p', { class: 'problem', role: 'alert' }, error.message);
