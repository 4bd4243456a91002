// The command line: the output of each command for people and for scripts, exit codes, and files that must not
// change.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { fitsTool, scratch } from './cli_repository.mjs';
import { json, onTerminal, run, snap } from './commands.mjs';
import { trust } from './servers.mjs';

const colours = /\x1b\[/;

describe('the command line', () => {
  test('every command has help with examples and exit codes', async (t) => {
    const folder = scratch(t);
    const walk = async (words) => {
      const { code, out, errors } = await run(folder, [...words, '--help']);
      assert.equal(code, 0, errors);
      assert.match(out, new RegExp(`^Usage: snap${words.map((word) => ` ${word}`).join('')}`));
      assert.ok(out.split('\n').every((line) => line.length <= 120 || line.startsWith('  snap ')), out);
      const commands = [...(/\nCommands:\n((?: {2}.*\n)+)/.exec(out)?.[1] ?? '').matchAll(/^ {2}(\S+)/gm)].map((match) => match[1]);
      if (!commands.length || words[0] === 'mcp') assert.match(out, /\nExit codes: .*\b0\b.*\b2\b/s, words.join(' '));
      if (!commands.length) assert.match(out, /\nExamples:\n {2}\S/, words.join(' '));
      for (const each of commands) await walk([...words, each]);
      return commands;
    };
    assert.deepEqual((await walk([])).filter((name) => ['mcp', 'snapshot', 'session', 'check', 'ctx', 'learn', 'violation', 'wire', 'store'].includes(name)).length, 9);
    assert.match((await run(folder, ['--version'])).out, /^snapgen \d+\.\d+\.\d+\n$/);
  });

  test('tools and call show what a host gets', async (t) => {
    const folder = scratch(t);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const all = (await json(folder, ['tools', '--profile', 'first'])).value;
    assert.ok(all.tools.some(({ name, inputSchema }) => name === 'snapshot_file' && inputSchema.properties.path));
    const shown = await run(folder, ['tools', 'snapshot_file']);
    assert.match(shown.out, /^snapshot_file: .*\n(?: {2}\S.*\n)+$/);
    assert.match(shown.out, /\n {2}path \(string\): /);
    assert.match(shown.out, /\n {2}mode \(string\), one of "snapshot" \| "worktree": /);
    assert.match(shown.out, /\n {2}max_bytes \(integer\), default 262144: /);
    assert.deepEqual((await json(folder, ['tools', 'snapshot_file', '--profile', 'first'])).value, all.tools.find(({ name }) => name === 'snapshot_file'));
    const called = await run(folder, ['call', 'snapshot_file', '{"path":"a.txt"}', '--answers', 'text']);
    assert.equal(called.code, 0, called.errors);
    assert.match(called.out, /one/);
    assert.equal((await json(folder, ['call', 'snapshot_file', '{"path":"a.txt"}'])).value.structuredContent.content, 'one\n');
    const wrong = await run(folder, ['call', 'snapshot_file', '{"pth":"a.txt"}']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.out, /did you mean/);
    for (const [words, code, said] of [
      [['call', 'snapshot_file', '{path}'], 2, /^The arguments are not a JSON object, such as .*: not JSON: /],
      [['call', 'snapshot_fil'], 1, /snapshot_file/],
      [['tools', 'snapshot_fil'], 1, /^The server lists no tool snapshot_fil\. snap tools shows all\.\n$/],
      [['tools', '--profile', 'none'], 1, /^The server ended without an answer: .*none/],
      [['call'], 2, /TOOL is required/],
    ]) {
      const failed = await run(folder, words);
      assert.equal(failed.code, code, failed.errors);
      assert.match(failed.errors, said);
    }
  });

  test('an invalid command line prints one sentence with a suggestion, and exits with 2', async (t) => {
    const folder = scratch(t);
    for (const [words, said] of [
      [[], /^snap is not complete: say which of .*\bsnapshot\b/],
      [['snapshto'], /^snap has no command snapshto; did you mean snapshot\? \(snap --help\)\n$/],
      [['snapshto', '--help'], /^snap has no command snapshto; did you mean snapshot\? \(snap --help\)\n$/],
      [['snapshot', 'lst', '--help'], /^snap snapshot has no command lst; did you mean list\?/],
      [['snapshot', 'lst'], /^snap snapshot has no command lst; did you mean list\?/],
      [['snapshot', 'list', '--limt', '3'], /^snap snapshot list has no option --limt; did you mean --limit\?/],
      [['snapshot', 'list', '--limit', '0'], /--limit.*not in range/],
      [['snapshot', 'list', 'extra'], /takes no argument extra/],
      [['snapshot', 'show'], /ID is required/],
      [['snapshot', 'show', 'nonsense'], /./],
      [['snapshot', 'diff', 'nonsense'], /^Unknown FROM nonsense: .*snap snapshot list/],
      [['snapshot', 'diff', 'head', 'nonsense'], /^Unknown TO nonsense: /],
      [['snapshot', 'export', 'nonsense', '-o', 'x'], /^ID /],
      [['snapshot', 'create', '-m', 'x'.repeat(100_000)], /^--message /],
      [['session', 'start', 'x'.repeat(100_000)], /^TASK /],
      [['snapshot', 'create', '../elsewhere'], /^\.\.\/elsewhere is not in the workspace/],
      [['check', 'fast'], /fast/],
      [['session'], /say which of start, recommendations, stats, checkpoint, end/],
      [['session', 'start'], /TASK is required/],
      [['session', 'end', '--outcome', 'maybe'], /maybe/],
      [['ctx', 'check', 'bundle', 'size'], /VALUE is required/],
      [['ctx', 'check', 'bundle', 'size', 'large'], /large/],
      [['learn', 'when'], /WHAT is required/],
      [['violation', 'type'], /WHAT is required/],
      [['wire', 'decode', '--compat'], /did you mean --compact\?/],
      [['store', 'gc', '--keep-days', '-1'], /./],
    ]) {
      const { code, out, errors } = await run(folder, words);
      assert.equal(code, 2, `${words.join(' ')}: ${out}${errors}`);
      assert.equal(out, '');
      assert.match(errors, said);
      assert.equal(errors.trimEnd().split('\n').length, 1, errors);
    }
  });

  test('a command without a workspace does not ask to restart a server', async (t) => {
    const { code, errors } = await run(scratch(t), ['snapshot', 'list', '--workspace', '/nonexistent']);
    assert.notEqual(code, 0);
    assert.match(errors, /There is no workspace: \/nonexistent .*, or name another one with --workspace DIR or SNAPBACK_WORKSPACE_ROOT\./);
    assert.doesNotMatch(errors, /restart/);
  });

  test('arguments must be UTF-8, except for file names', async (t) => {
    const folder = scratch(t);
    const shell = (script) => {
      try {
        return { code: 0, out: execFileSync('bash', ['-c', script, snap], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }) };
      } catch (failure) {
        return { code: failure.status, errors: failure.stderr };
      }
    };
    for (const words of ["snapshot create -m $'\\xff'", "learn $'\\xff' b", "violation a $'\\xff'", "session start $'\\xff'"]) {
      const { code, errors } = shell(`"$0" ${words}`);
      assert.equal(code, 2, words);
      assert.match(errors, /^An argument is not valid UTF-8\. Pass the text as UTF-8\.\n$/);
    }
    assert.equal(shell("echo x > $'\\xff' && \"$0\" snapshot create $'\\xff' --json").code, 0);
    const shown = shell("echo y > 'a b'; echo z > $'a\\tb'; \"$0\" snapshot create > /dev/null && \"$0\" snapshot show $(\"$0\" snapshot list | head -n 1 | cut -d' ' -f 1)");
    const spelt = `base64:${Buffer.from('a\tb').toString('base64')}`;
    assert.match(shown.out, / a b$/m);
    assert.match(shown.out, new RegExp(` ${spelt}$`, 'm'));
    assert.equal(shell(`rm -f $'a\\tb'; SNAPBACK_TIER=pro "$0" snapshot restore $("$0" snapshot list | head -n 1 | cut -d' ' -f 1) ${spelt} --yes && cat $'a\\tb'`).out.trimEnd().split('\n').at(-1), 'z');
  });

  test('outside a workspace, commands that need one exit with 1 and name --workspace', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'snapgen no workspace '));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const words of [['snapshot', 'list'], ['snapshot', 'create'], ['snapshot', 'diff'], ['session', 'start', 'x'], ['session', 'checkpoint'],
      ['check'], ['ctx', 'status'], ['learn', 'a', 'b'], ['violation', 'a', 'b'], ['store', 'stats']]) {
      const { code, out, errors } = await run(folder, words);
      assert.equal(code, 1, words.join(' '));
      assert.equal(out, '');
      assert.match(errors, /workspace/, words.join(' '));
      assert.doesNotMatch(errors, /Start the server/, words.join(' '));
      assert.match(errors, /--workspace DIR/);
    }
    const { code, value } = await json(folder, ['snapshot', 'list']);
    assert.equal(code, 1);
    assert.ok(value.error.code && value.error.message);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a failed write exits with 1; a closed pipe does not', async (t) => {
    const folder = scratch(t);
    const { code, errors } = await run(folder, ['snapshot', 'diff', '--json', '--workspace', folder]).then(() =>
      new Promise((done) => {
        try {
          done({ code: 0, errors: execFileSync('sh', ['-c', '"$0" snapshot diff --json > /dev/full', snap], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }) });
        } catch (failure) {
          done({ code: failure.status, errors: failure.stderr });
        }
      }));
    assert.equal(code, 1);
    assert.match(errors, /cannot be written: No space left/);
    for (const words of ['--help', '--version', 'help snapshot list', 'snapshot list --help']) {
      const { status, stderr } = spawnSync('sh', ['-c', `"$0" ${words} > /dev/full`, snap], { encoding: 'utf8' });
      assert.equal(status, 1, words);
      assert.match(stderr, /cannot be written: No space left/);
    }
    assert.equal(execFileSync('bash', ['-c', 'set -o pipefail; "$0" --help | true; "$0" snapshot diff --json | true && echo fine', snap], { cwd: folder, encoding: 'utf8' }), 'fine\n');
  });
});

describe('snap mcp', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } };

  test('serves MCP on standard input and output unless they are a terminal', async (t) => {
    const folder = scratch(t);
    for (const words of [['mcp'], ['mcp', '--stdio']]) {
      const { code, out } = await run(folder, words, { input: `${JSON.stringify(initialize)}\n` });
      assert.equal(code, 0);
      assert.equal(JSON.parse(out).result.serverInfo.name, 'snapgen-server');
    }
    // A warning reports requests that were not answered before standard input ended.
    const check = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'check', arguments: { mode: 'test' } } };
    mkdirSync(join(folder, '.snapback'), { recursive: true });
    writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify({ check: { detect: false, commands: [{ subsystem: 'tests', command: ['sleep', '60'] }] } }));
    trust(folder);
    const hasty = await run(folder, ['mcp'], { input: `${JSON.stringify(initialize)}\n${JSON.stringify(check)}\n` });
    assert.equal(hasty.code, 0);
    assert.match(hasty.errors, /Standard input ended before 1 request had been answered, .*Keep it open until all responses have arrived\./);
    const person = await onTerminal(folder, ['mcp']);
    assert.equal(person.code, 2);
    assert.match(person.out, /^Usage: snap mcp/);
  });

  test('`snap mcp http --port` is the same as `snap mcp --http`', async (t) => {
    const folder = scratch(t);
    for (const words of [['http', '--port', '0'], ['--http', '0']]) {
      const server = spawn(snap, ['mcp', ...words, '--workspace', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => server.kill());
      const [url] = await once(server.stdout.setEncoding('utf8'), 'data');
      const answer = await fetch(url.trim(), { method: 'POST', body: JSON.stringify(initialize),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } });
      assert.equal(answer.status, 200);
      await answer.text();
      server.kill('SIGTERM');
      const [code] = await once(server, 'exit');
      assert.equal(code, 0);
    }
    assert.equal((await run(folder, ['mcp', 'http', '--port', 'nowhere'])).code, 2);
  });
});

describe('snap session, ctx, learn and violation', () => {
  test('a task runs from start to end', async (t) => {
    const folder = scratch(t);
    const early = await run(folder, ['session', 'checkpoint']);
    assert.equal(early.code, 1);
    assert.match(early.errors, /snap session start/);
    assert.match((await run(folder, ['session', 'stats'])).errors, /snap session start/);
    const learned = await json(folder, ['learn', 'the login fails', 'look at the clock', '--type', 'pitfall', '--keyword', 'login', '--file', 'a.txt']);
    await fitsTool('facade/snapback_learn.json', learned.value);
    const started = await json(folder, ['session', 'start', 'fix the login', '--file', 'a.txt', '--keyword', 'login']);
    assert.equal(started.code, 0, started.errors);
    await fitsTool('facade/snapback_session.json', started.value);
    const { task_id: task } = started.value.data;
    assert.equal(started.value.data.learnings[0].action, 'look at the clock');
    assert.ok(started.value.next_actions.length > 0);
    assert.match((await run(folder, ['session', 'recommendations'])).out, /pitfall {2}the login fails: look at the clock/);

    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
    const person = await onTerminal(folder, ['session', 'stats'], { env: { NO_COLOR: '1' } });
    assert.match(person.out, /suggested next steps\r\n {2}snap (session|check|ctx|snapshot)/);
    const point = await json(folder, ['session', 'checkpoint', '-m', 'half way']);
    await fitsTool('substrate/snapshot_create.json', point.value);
    assert.match((await run(folder, ['snapshot', 'list', '--contains', task])).out, new RegExp(`checkpoint of ${task}: half way`));
    const stats = await run(folder, ['session', 'stats']);
    assert.match(stats.out, new RegExp(`^task +${task} {2}fix the login\n`));
    assert.match(stats.out, /\nchanged +1 file, \+1 -0 lines\n/);
    const ended = await json(folder, ['session', 'end', '--outcome', 'blocked', '--learned', 'ask first', '--task', task]);
    assert.deepEqual([ended.value.data.outcome, ended.value.data.learned], ['blocked', 1]);
    const again = await json(folder, ['session', 'end', '--task', task]);
    assert.equal(again.code, 1);
    assert.equal(again.value.ok, false);
    const log = readFileSync(join(folder, '.snapback/logs/mcp.jsonl'), 'utf8');
    assert.match(log, /"tool":"snapback\.session"/, 'the command line logs the same tool names as MCP');
  });

  test('forget withdraws a learning until it is recorded again', async (t) => {
    const folder = scratch(t);
    const learn = ['learn', 'the login fails', 'look at the clock'];
    const [{ id }] = (await json(folder, learn)).value.data.learnings;
    const forgotten = await run(folder, ['forget', id]);
    assert.deepEqual([forgotten.code, forgotten.out], [0, 'Forgotten: look at the clock\n']);
    const start = async () => (await json(folder, ['session', 'start', 'fix the login'])).value.data.learnings;
    assert.deepEqual(await start(), []);
    const unknown = await run(folder, ['forget', id]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.errors, /There is no learning with the id, and no violation of the type, learn_/);
    await run(folder, learn);
    assert.equal((await start())[0].id, id);
  });

  test('ctx creates, builds, validates and checks the project context', async (t) => {
    const folder = scratch(t);
    assert.equal((await run(folder, ['ctx', 'validate'])).code, 1);
    assert.match((await run(folder, ['ctx', 'check', 'bundle', 'size', '1'])).errors, /Create it with snap ctx init\./);
    const begun = await json(folder, ['ctx', 'init']);
    await fitsTool('facade/snapback_context.json', begun.value);
    const file = join(folder, '.snapback/ctx/context.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), constraints: { bundle: { size: { max: 250, unit: 'kB' } } } }));
    const kept = await run(folder, ['ctx', 'init']);
    assert.match(kept.out, /already exists/);
    assert.ok((await run(folder, ['ctx', 'build'])).out.length > 0);
    assert.equal((await run(folder, ['ctx', 'validate'])).code, 0);
    assert.match((await run(folder, ['ctx', 'constraint', 'bundle', 'size'])).out, /at most +250 kB/);
    assert.equal((await run(folder, ['ctx', 'check', 'bundle', 'size', '240'])).code, 0);
    const above = await run(folder, ['ctx', 'check', 'bundle', 'size', '260.5']);
    assert.equal(above.code, 1);
    assert.match(above.out, /^260\.5 is above 250 kB\./);
    assert.match((await run(folder, ['ctx', 'status'])).out, /limits +bundle\.size/);
    assert.equal((await run(folder, ['ctx', 'blockers'])).code, 0);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), blockers: [{ description: 'no key', severity: 'high' }] }));
    const blocked = await run(folder, ['ctx', 'blockers']);
    assert.equal(blocked.code, 1);
    assert.match(blocked.out, /high +no key/);
    assert.match((await run(folder, ['ctx', 'constraint', 'no', 'such'])).errors, /no\.such/);
  });

  test('a violation is promoted when it is reported for the third time', async (t) => {
    const folder = scratch(t);
    for (const count of [1, 2, 3]) {
      const { value } = await json(folder, ['violation', 'silent_catch', 'swallowed', '--file', 'a.txt', '--prevention', 'log it']);
      assert.deepEqual([value.line, value.count, value.promote], ['V', count, count === 3 ? 'PROMOTED' : 'NO']);
    }
    assert.match((await run(folder, ['violation', 'other', 'once'])).out, /other/);
  });

  test('wire decode prints the fields of a line, and exits with 1 on an invalid line', async (t) => {
    const folder = scratch(t);
    const line = '🧢|L|status:OK|id:L1|type:pitfall';
    assert.equal((await run(folder, ['wire', 'decode', line])).out, 'L: Learning captured\nstatus: OK\nid: L1\ntype: pitfall\n');
    assert.deepEqual((await json(folder, ['wire', 'decode'], { input: `${line}\n---\nKept.` })).value, [['L', 'Learning captured'], ['status', 'OK'], ['id', 'L1'], ['type', 'pitfall']]);
    assert.equal((await run(folder, ['wire', 'decode', '--compact', '🧢|L|OK|L1|pitfall'])).code, 0);
    const wrong = await run(folder, ['wire', 'decode', 'no line']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.errors, /^The text is not a line: it must begin with /);
  });
});

describe('snap check', () => {
  const settings = (...commands) => JSON.stringify({ check: { detect: false, commands } });
  const node = (subsystem, script) => ({ subsystem, command: [process.execPath, '-e', script] });

  test('findings are printed as file:line:column, and errors set the exit code', async (t) => {
    const folder = scratch(t, { 'a.txt': 'a\n', '.snapback/config.json': settings(
      node('types', "for (let i = 1; i < 12; ++i) console.log(`a.txt:${i}:2: error: wrong ${i}`); process.exit(1)"),
      node('lint', 'process.exit(0)')) });
    assert.match((await run(folder, ['check', 'full'])).out, /not trusted until the user runs `snap trust`/);
    assert.equal((await run(folder, ['trust'])).code, 1);
    assert.match((await onTerminal(folder, ['trust'], { lines: [[/\[y\/N\]/, 'y\n']] })).out, /trusted/);
    assert.equal((await run(folder, ['check'])).code, 0);
    const { code, out } = await run(folder, ['check', 'full']);
    assert.equal(code, 1);
    assert.doesNotMatch(out, colours);
    for (let i = 1; i < 12; ++i) assert.match(out, new RegExp(`^a\\.txt:${i}:2: error: wrong ${i}$`, 'm'), 'all errors are printed');
    assert.match(out, /\ncheck failed: 11 errors, 0 warnings \(types failed, lint passed, tests skipped\)\n$/);
    const { value } = await json(folder, ['check', 'full', 'a.txt']);
    assert.deepEqual([value.line, value.status, value.err, value.report.findings.length], ['C', '✗', 11, 11]);
    assert.match((await onTerminal(folder, ['check', 'full'])).out, /\x1b\[31merror\x1b\[0m: wrong 1\r\n/);
    writeFileSync(join(folder, '.snapback/config.json'), settings(node('types', 'process.exit(0)')));
    trust(folder);
    const passed = await json(folder, ['check', 'build']);
    assert.deepEqual([passed.code, passed.value.status], [0, '✓']);
    for (const mode of ['patterns', 'impact', 'circular', 'docs', 'test', 'all']) assert.equal((await run(folder, ['check', mode])).code, 0, mode);
    assert.equal((await run(folder, ['check', '--task', 'task_aaaaaaaa'])).code, 1);
  });

  test('a terminal shows a progress bar, and Ctrl-C ends the running program', async (t) => {
    const folder = scratch(t, { 'a.txt': 'a\n', '.snapback/config.json': settings(
      node('tests', "process.on('SIGTERM', () => process.exit(0)); require('fs').writeFileSync('running', String(process.pid)); setInterval(() => {}, 1000)")) });
    trust(folder);
    // The bar appears without input. The test types Ctrl-C when it is shown.
    const { code, out } = await onTerminal(folder, ['check', 'test'], { lines: [[/\[[#.]{24}\] +\d+%/, '\x03']] });
    assert.equal(code, 130);
    assert.match(out, /Cancelled\./);
    const pid = Number(readFileSync(join(folder, 'running'), 'utf8'));
    assert.throws(() => process.kill(pid, 0), 'the program has ended');
  });
});
