// Correct uses of SnapgenBridge, and wrong ones that its types must reject. Compiled, but not run.
import { CommandFailure, ConnectRefused, protocolVersion, SnapgenBridge } from 'snapgen-bridge';
import type {
  BlockId, BlockInput, BridgeBlock, BridgeConnectAck, BridgeProtocolVersion, BridgeServerMessage, BridgeSessionId, CommandPayloads, CommandResults, MessageId,
  ResponseTo,
} from 'snapgen-bridge';
import { InvalidValue, isReadProjectResult, parseBridgeServerMessage } from 'snapgen-bridge/messages';

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
      // @ts-expect-error only a query for a location has this member
      query.x;
      const id: string = messageId;
      return signal.aborted ? {} : { blocks_found: [{ opcode: id }] };
    },
    // @ts-expect-error the project is missing
    read_project: () => ({}),
    // @ts-expect-error the format must be a string
    export_project: () => ({ project_data: '', size_bytes: 0, format: 1 }),
  },
  confirm: (message) => message.type === 'command' && message.command !== 'execute_script',
  checkpoint: () => async () => {},
});

bridge.on('highlight_blocks', ({ block_ids: ids }) => ({ highlighted: ids }));
// @ts-expect-error the result is that of another command
bridge.on('highlight_blocks', () => ({ project: { name: '' } }));
// @ts-expect-error the command does not exist
bridge.on('highlight', () => ({}));
// @ts-expect-error the command does not exist
export const unknown = new SnapgenBridge({ url: '', handlers: { format_disk: () => ({}) } });
bridge.emit('user_action', { action: 'block_clicked' });
// @ts-expect-error the event does not exist
bridge.emit('user_left');

export async function connect(): Promise<string> {
  try {
    const ack: BridgeConnectAck = await bridge.connect('ABC-234');
    const limit: number = ack.server_capabilities.limits.max_blocks_per_command;
    const saved = await bridge.disconnect({ saveState: true });
    return `${ack.session_id} ${limit} ${saved?.valid_until ?? ''}`;
  } catch (error) {
    if (error instanceof ConnectRefused && error.retryAllowed) return error.newTokenUrl ?? error.code;
    throw error;
  }
}

// The socket of the package ws has events of its own.
declare class Ws {
  constructor(url: string | URL, options?: { timeout: number });
  readonly readyState: 0 | 1 | 2 | 3;
  onopen: ((event: { type: string; target: Ws }) => void) | null;
  onmessage: ((event: { data: string | ArrayBuffer | Uint8Array[]; type: string }) => void) | null;
  onclose: ((event: { wasClean: boolean; code: number; reason: string }) => void) | null;
  send(data: string | Uint8Array, done?: (error?: Error) => void): void;
  close(code?: number, data?: string): void;
}
export const clients = [new SnapgenBridge({ url: '', WebSocket: Ws }), new SnapgenBridge({ url: '', WebSocket })];
// @ts-expect-error a URL is not a socket
export const wrongSocket = new SnapgenBridge({ url: '', WebSocket: URL });
export const version: BridgeProtocolVersion = protocolVersion;

// A response has the result of its command.
export const response: ResponseTo<'highlight_blocks'> = { type: 'response', message_id: 'm', status: 'success', payload: { highlighted: ['a'] } };
export const refused: ResponseTo<'highlight_blocks'> = { type: 'response', message_id: 'm', status: 'error', error: { code: 'CANCELLED', message: '' } };
// @ts-expect-error the result is that of another command
export const otherResponse: ResponseTo<'read_project'> = { type: 'response', message_id: 'm', status: 'success', payload: { highlighted: ['a'] } };

// A value from JSON has a type once it was checked.
export const checked = (value: unknown): string => (isReadProjectResult(value) ? value.project.name : '');
export const read: BridgeServerMessage = parseBridgeServerMessage('{"type":"ping","timestamp":"2025-09-30T10:32:00Z"}');

export const problem = (error: unknown): string => (error instanceof InvalidValue ? error.pointer + error.problem : '');

// The member type identifies a message, and the name a command.
export function name(message: BridgeServerMessage): string {
  // @ts-expect-error not every message has this member
  message.message_id;
  if (message.type === 'connect_error') return message.error.code;
  if (message.type !== 'command') return message.type;
  if (message.command === 'create_custom_block') return message.payload.block_name;
  // @ts-expect-error the payload is that of another command
  return message.payload.block_name;
}

export const nested: BlockInput = { operation: 'multiply', operands: ['%height', { opcode: 'reportRandom', inputs: { FROM: 1 } }] };
// @ts-expect-error an operand has the form of a slot's input at any depth
export const wrongNested: BlockInput = { operation: '+', operands: [{ opcode: 'a', inputs: { A: { nope: 1 } } }] };
export const next: BlockId | null | undefined = ({} as BridgeBlock).next;
// @ts-expect-error a session is not a block
export const wrongNext: BridgeBlock = { block_id: 'a', opcode: 'b', next: {} as BridgeSessionId };
// @ts-expect-error the value of a slot must not be null
export const nothing: BlockInput = null;
// @ts-expect-error an operation and a variable exclude each other
export const both: BlockInput = { operation: 'multiply', variable: 'x' };
export const failure = new CommandFailure('SPRITE_NOT_FOUND', 'There is no Unicorn.', { available_sprites: ['Cat'] });
// @ts-expect-error the error code does not exist
export const wrongFailure = new CommandFailure('SPRITE_LOST', '');
export type Both<Name extends keyof CommandPayloads> = [CommandPayloads[Name], CommandResults[Name], MessageId];
