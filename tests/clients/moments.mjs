// Waits for the history, which a thread of the server records.
import { setTimeout as delay } from 'node:timers/promises';

// Calls history_list until `found(answer)` returns something, and returns that.
async function polled(call, what, found) {
  const patience_ms = 30_000;
  for (const end = Date.now() + patience_ms; ; await delay(20)) {
    const { structuredContent: answer, content } = await call('history_list', {});
    const result = answer && found(answer);
    if (result) return result;
    if (Date.now() > end) throw new Error(`${what} is not in the history: ${content[0].text}`);
  }
}

// Waits until the state of the workspace is recorded, and returns its time.
export const firstState = (call) => polled(call, 'a state', ({ oldest }) => oldest);

// Waits for the latest moment in which the file at `path` has `change`, such as modified. With `after`, the moment is a
// later one than that.
export const momentOf = (call, path, change, after = 'm0') =>
  polled(call, `${path} ${change}`, ({ turns }) =>
    turns.flatMap(({ moments }) => moments).find(({ moment, changes }) =>
      Number(moment.slice(1)) > Number(after.slice(1)) && changes.some((each) => each.path === path && each.change === change)));
