// Prints the table of ./dev bench hosts: figures of the server with which before.json was recorded, beside those of this run.

const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
const count = (object, isCounted) => Object.values(object).filter(isCounted).length;

// Each row: its title, its target, and how it is computed from the figures of one host; `before` is the host's figure in before.json.
const rows = [
  ['first request, all tools: bytes', '', ({ list }) => grouped(list.bytes)],
  ['first request, all tools: tokens', '', ({ list }) => grouped(list.tokens)],
  ['first request, `--profile first`: bytes', '≤ 14 336', ({ first }) => grouped(first.bytes)],
  ['tools loaded in both sessions: tokens', '', ({ loads }) => grouped(loads.tokens)],
  ['read of a small file: tokens (of its content)', '≤ 1.1 × content + 25', ({ read }) => (read ? `${read.tokens} (${read.content.tokens})` : 'none')],
  ['300 KB file: lines that the model saw, of 6 000', 'all', ({ long }) => grouped(long.lines)],
  ['300 KB file: tokens (of the lines it saw), calls', '≤ 1.1 × content + 25 a call', ({ long }) => `${grouped(long.tokens)} (${grouped(long.content.tokens)}), ${long.calls}`],
  ['errors whose sentence the model reads', '2 of 2', ({ errors }) => `${count(errors, Boolean)} of ${Object.keys(errors).length}`],
  ['the script without the 300 KB file: bytes', '', ({ script }) => grouped(script.bytes)],
  ['the script without the 300 KB file: tokens', '≤ 40 % of before', ({ script }, before) => `${grouped(script.tokens)}${before ? `, ${Math.round((100 * script.tokens) / before.script.tokens)} %` : ''}`],
  ['plugin: from its installation to the first answer of a tool', '≤ 10 s', ({ plugin }) => (plugin ? `${plugin.toFixed(1)} s` : '–')],
  ['launches on the right tree, or refused', 'all', ({ launches }) => `${count(launches, (one) => one.isRight)} of ${Object.keys(launches).length}`],
  ['launches on a wrong tree', '0', ({ launches }) => String(count(launches, (one) => !one.isRight && !['refused', 'no answer'].includes(one.got)))],
];

// `before` and `now`: figures by the host's name. A host without figures of this run has a dash.
export function tableText(hosts, before, now) {
  const cell = (host, read) => {
    const was = before[host.name] ? read(before[host.name]) : '–';
    const is = now[host.name] ? read(now[host.name], before[host.name]) : '–';
    return `${was} → ${is}`;
  };
  return [
    `| before → now | target | ${hosts.map((host) => `${host.title} ${host.version}`).join(' | ')} |`,
    `|${' --- |'.repeat(hosts.length + 2)}`,
    ...rows.map(([title, target, read]) => `| ${title} | ${target} | ${hosts.map((host) => cell(host, read)).join(' | ')} |`),
  ].join('\n');
}
