// Replaces text that differs between two runs by fixed names.

export const numbered_patterns = {
  lease: /lease_[a-z2-7]{16}/g,
  snap: /snap_[0-9a-f]{10}\b/g,
  task: /task_[a-z2-7]{8}/g,
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
};

// Ids of the history are short, so only its texts are searched for them.
const history_patterns = { moment: /\bm\d+\b/g, turn: /\bt\d+\b/g };

const varying = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  // The age of a snapshot in the lists of snap_fix.
  [/(?<=snap_[0-9a-f]{10}:)(now|\d+[a-z]+)(?=:)/g, '<age>'],
];

// Returns a function that normalizes texts. Ids become `lease_#1`, `lease_#2` and so on, in the order of their first appearance; `volatile`
// is a list of [pattern, replacement] for other text that varies in one host.
export function normalizer(volatile = [], kinds = ['lease', 'task', 'uuid']) {
  const names = new Map();
  const name = (kind, id) => {
    if (!names.has(id)) names.set(id, `${kind}_#${[...names.values()].filter((other) => other.startsWith(`${kind}_#`)).length + 1}`);
    return names.get(id);
  };
  return (text) => {
    let normal = text;
    for (const kind of kinds) normal = normal.replaceAll(numbered_patterns[kind] ?? history_patterns[kind], (id) => name(kind, id));
    for (const [pattern, replacement] of [...varying, ...volatile]) normal = normal.replaceAll(pattern, replacement);
    return normal;
  };
}
