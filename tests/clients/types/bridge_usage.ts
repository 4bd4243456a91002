// What a user of SnapgenBridge writes, and what it must not let pass. Compiled and never run.
import { CommandFailure, ConnectRefused, SnapgenBridge } from 'snapgen-bridge';
import type { BlockInput, BridgeConnectAck, BridgeServerMessage, CommandPayloads, CommandResults, MessageId } from 'snapgen-bridge';

const bridge = new SnapgenBridge({
  url: 'ws://127.0.0.1:8765/',
  clientInfo: { extension_version: '1.0.0' },
  handlers: {
    create_blocks: ({ scripts, target_sprite: sprite }) => {
      const name: string = sprite ?? 'Sprite';
      const opcode: string = scripts[0]?.blocks[0]?.opcode ?? name;
      return { blocks_created: 1, scripts_created: 1, created_block_ids: [opcode] };
    },
    inspect_state: async ({ query }, { signal, messageId }) => {
      if (query.type === 'blocks_by_id') return { total_count: query.block_ids.length };
      // @ts-expect-error only the query for a place has one
      query.x;
      const id: string = messageId;
      return signal.aborted ? {} : { blocks_found: [{ opcode: id }] };
    },
    // @ts-expect-error a project has to be there
    read_project: () => ({}),
    // @ts-expect-error the format is a text
    export_project: () => ({ project_data: '', size_bytes: 0, format: 1 }),
  },
  confirm: (message) => message.type === 'command' && message.command !== 'execute_script',
  checkpoint: () => async () => {},
});

bridge.on('highlight_blocks', ({ block_ids: ids }) => ({ highlighted: ids }));
// @ts-expect-error another command's answer
bridge.on('highlight_blocks', () => ({ project: { name: '' } }));
// @ts-expect-error there is no such command
bridge.on('highlight', () => ({}));
// @ts-expect-error there is no such command
export const unknown = new SnapgenBridge({ url: '', handlers: { format_disk: () => ({}) } });
bridge.emit('user_action', { action: 'block_clicked' });
// @ts-expect-error there is no such event
bridge.emit('user_left');

export async function connect(): Promise<string> {
  try {
    const ack: BridgeConnectAck = await bridge.connect('ABC-234');
    const limit: number | undefined = ack.server_capabilities.limits.max_blocks_per_command;
    const saved = await bridge.disconnect({ saveState: true });
    return `${ack.session_id} ${limit} ${saved?.valid_until ?? ''}`;
  } catch (error) {
    if (error instanceof ConnectRefused && error.retryAllowed) return error.newTokenUrl ?? error.code;
    throw error;
  }
}

// A message is told by its type, a command by its name.
export function name(message: BridgeServerMessage): string {
  // @ts-expect-error not every message has one
  message.message_id;
  if (message.type === 'connect_error') return message.error.code;
  if (message.type !== 'command') return message.type;
  if (message.command === 'create_custom_block') return message.payload.block_name;
  // @ts-expect-error another command's payload
  return message.payload.block_name;
}

export const nested: BlockInput = { operation: 'multiply', operands: ['%height', { opcode: 'reportRandom', inputs: { FROM: 1 } }] };
// @ts-expect-error what stands in a slot is no null
export const nothing: BlockInput = null;
// @ts-expect-error either an operation or a variable
export const both: BlockInput = { operation: 'multiply', variable: 'x' };
export const failure = new CommandFailure('SPRITE_NOT_FOUND', 'There is no Unicorn.', { available_sprites: ['Cat'] });
// @ts-expect-error there is no such code
export const wrongFailure = new CommandFailure('SPRITE_LOST', '');
export type Both<Name extends keyof CommandPayloads> = [CommandPayloads[Name], CommandResults[Name], MessageId];
