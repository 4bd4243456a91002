// The errors that a host receives for failed bridge commands name the browser that the command was sent to.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Host, Wire } from './bridge_host.mjs';

test('the error of a failed command names the browser that it was sent to', async (t) => {
  const host = await Host.start(t);
  const pairing = await host.succeed('pair');
  const wire = new Wire(pairing.url);
  assert.equal((await wire.greet(pairing.token)).type, 'connect_ack');
  const failed = async (name, parameters) => {
    const { status, session_id: id, error } = await host.call(name, parameters);
    return [status, id, error.code];
  };
  const calling = failed('create_blocks', { scripts: [{ blocks: [{ block_id: 'b0', opcode: 'doWait' }] }] });
  const { message_id: id } = await wire.next();
  wire.send({ message_id: id, type: 'response', status: 'error', error: { code: 'JAVASCRIPT_ERROR', message: 'It threw.' } });
  assert.deepEqual(await calling, ['error', pairing.session_id, 'JAVASCRIPT_ERROR']);
  assert.deepEqual(await failed('execute_script', { javascript_code: '1' }), ['error', pairing.session_id, 'PERMISSION_DENIED']);
  assert.deepEqual(await failed('read_project', { session_id: 'sess_none' }), ['error', undefined, 'NO_BROWSER']);
  const { commands } = await host.succeed('status');
  assert.deepEqual(commands.map(({ session_id: session, outcome }) => [session, outcome]),
    [['sess_none', 'NO_BROWSER'], [pairing.session_id, 'PERMISSION_DENIED'], [pairing.session_id, 'JAVASCRIPT_ERROR']]);
});
