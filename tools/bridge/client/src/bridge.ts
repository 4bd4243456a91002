// SnapgenBridge is the browser's side of the bridge, for browsers and Node. It connects with a token or a short code, answers commands with
// handlers, and reconnects when the connection breaks. schemas/bridge defines the messages.
import { Ledger } from './ledger.js';
import { CommandFailure, failureOf, runBatch, type CommandContext, type CommandHandlers } from './run.js';
import type {
  BridgeBatchCommand, BridgeClientInfo, BridgeCommand, BridgeConnect, BridgeConnectAck, BridgeConnectError, BridgeDisconnectAck, BridgeEventType,
  BridgeProtocolVersion, BridgeReconnect, BridgeRefusalCode, BridgeServerMessage, CommandError, CommandName,
} from './types/bridge.js';
import type { JsonObject } from './types/json.js';

export { CommandFailure, type CommandContext, type CommandHandlers } from './run.js';
export type * from './types/bridge.js';
export type { JsonObject, JsonValue } from './types/json.js';

export const protocolVersion: BridgeProtocolVersion = '1.0.0';

/** The server has rejected the connection. */
export class ConnectRefused extends Error {
  readonly code: BridgeRefusalCode;
  /** Whether another attempt, with a new token or later, may succeed. */
  readonly retryAllowed: boolean;
  /** The page where the user can ask for a new pairing. */
  readonly newTokenUrl: string | undefined;
  constructor({ error }: BridgeConnectError) {
    super(error.message);
    this.name = 'ConnectRefused';
    this.code = error.code;
    this.retryAllowed = error.retry_allowed;
    this.newTokenUrl = error.new_token_url;
  }
}

/** The state with which a session is resumed, also after a restart of the program. It contains a secret. */
export interface SavedSession {
  reconnectToken: string;
  /** The ids of received commands, which are not run again. */
  received: string[];
}

export type BridgeState = 'idle' | 'connecting' | 'connected' | 'reconnecting';

export interface SnapgenBridgeOptions {
  /** The URL that `bridge.pair` returns, such as `ws://127.0.0.1:8765/`. */
  url: string | URL;
  handlers?: CommandHandlers;
  clientInfo?: BridgeClientInfo;
  /** Asks the user before a command with `require_confirmation`. If absent, such commands fail with NOT_CONFIRMED. */
  confirm?: (command: BridgeCommand | BridgeBatchCommand) => boolean | Promise<boolean>;
  /** For batches with `rollback_on_error`: takes a checkpoint, and returns a function that restores it. */
  checkpoint?: () => (() => void | Promise<void>) | Promise<() => void | Promise<void>>;
  /** Called when the state changes. `error` is the reason if a connection failed. */
  onstate?: (state: BridgeState, error?: Error) => void;
  /** Called with the state to store for resume(), in place of the previous one. Undefined: there is no session to resume. */
  onsession?: (session: SavedSession | undefined) => void;
  /** Whether to reconnect when the connection breaks; default true. */
  reconnect?: boolean;
  /** Milliseconds before the first attempt to reconnect; default 250. Each further delay is twice as long, up to 10 s. */
  reconnectDelay?: number;
  /** The WebSocket implementation; default: the global one. */
  WebSocket?: new (url: string) => BridgeSocket;
}

// A method's parameters may be subtypes, so that implementations with events of their own fit.
type Handler<Event> = { handle(event: Event): void }['handle'];

/** The part of a WebSocket that the client uses: the browser's, that of Node, or that of the package `ws`. */
export interface BridgeSocket {
  readonly readyState: number;
  onopen: Handler<unknown> | null;
  onmessage: Handler<{ data: unknown }> | null;
  onclose: Handler<{ code: number; reason: string }> | null;
  send(text: string): void;
  close(): void;
}

const reconnectDelayMax = 10_000;

// The error of a command that an earlier run of this program has received, perhaps begun, and never answered.
const lost: CommandError = {
  code: 'CONNECTION_LOST',
  message: 'The program that received the command was ended before it responded, so it is unknown whether the command ran.',
};

// A connection that the server has acknowledged.
interface Line {
  socket: BridgeSocket;
  ack: BridgeConnectAck;
}

export class SnapgenBridge {
  readonly #options: SnapgenBridgeOptions;
  readonly #handlers: CommandHandlers;
  readonly #ledger = new Ledger();
  readonly #running = new Map<string, AbortController>();
  #state: BridgeState = 'idle';
  #socket: BridgeSocket | undefined;
  #line: Line | undefined;
  #token: string | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #farewell: ((ack: BridgeDisconnectAck | undefined) => void) | undefined;

  constructor(options: SnapgenBridgeOptions) {
    this.#options = options;
    this.#handlers = { ...options.handlers };
  }

  get state(): BridgeState {
    return this.#state;
  }
  /** The server's acknowledgement; undefined while there is no connection. */
  get session(): BridgeConnectAck | undefined {
    return this.#line?.ack;
  }

  /** Sets the handler of a command, in place of the previous one. */
  on<Name extends CommandName>(name: Name, handler: NonNullable<CommandHandlers[Name]>): this {
    (this.#handlers as Record<string, unknown>)[name] = handler;
    return this;
  }

  /** Connects with a token or short code from `bridge.pair`. Rejects with ConnectRefused, or with another Error if the connection fails. */
  connect(tokenOrCode: string): Promise<BridgeConnectAck> {
    this.#ledger.clear();
    const first: BridgeConnect = { type: 'connect', version: protocolVersion, token: tokenOrCode };
    return this.#begin(this.#options.clientInfo ? { ...first, client_info: this.#options.clientInfo } : first);
  }

  /** Resumes a session that `onsession` was called with. Rejects as connect() does. */
  resume(saved: SavedSession): Promise<BridgeConnectAck> {
    for (const id of saved.received) this.#ledger.remember(id);
    this.#token = saved.reconnectToken;
    return this.#begin(this.#comeback(saved.reconnectToken));
  }

  /** Sends an event to the host. Without a connection it is dropped, because later it would be outdated. */
  emit(type: BridgeEventType, payload: JsonObject = {}): void {
    if (this.#line) this.#send(this.#line.socket, { type: 'event', event_type: type, timestamp: new Date().toISOString(), session_id: this.#line.ack.session_id, payload });
  }

  /** Ends the session, or saves it for resume(). Resolves to the server's answer, or undefined if none arrives within two seconds. */
  disconnect({ reason, saveState = false }: { reason?: string; saveState?: boolean } = {}): Promise<BridgeDisconnectAck | undefined> {
    clearTimeout(this.#retry);
    const line = this.#line;
    if (!saveState) this.#token = undefined;
    if (!line) {
      this.#end(undefined);
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => line.socket.close(), 2_000);
      this.#farewell = (ack) => {
        clearTimeout(timer);
        resolve(ack);
      };
      this.#send(line.socket, { type: 'disconnect', save_state: saveState, ...(reason === undefined ? {} : { reason }) });
    });
  }

  #begin(first: BridgeConnect | BridgeReconnect): Promise<BridgeConnectAck> {
    if (this.#state !== 'idle') return Promise.reject(new Error(`The bridge is ${this.#state} already.`));
    this.#enter('connecting');
    return this.#open(first).catch((error: Error) => {
      if (error instanceof ConnectRefused && error.code !== 'CONNECTION_LIMIT') this.#token = undefined;
      this.#end(error);
      throw error;
    });
  }

  #comeback(token: string): BridgeReconnect {
    const message: BridgeReconnect = { type: 'reconnect', version: protocolVersion, reconnect_token: token, received: this.#ledger.ids() };
    return this.#options.clientInfo ? { ...message, client_info: this.#options.clientInfo } : message;
  }

  // Makes one attempt to connect. It settles when the server accepts or rejects it, or after a timeout.
  #open(first: BridgeConnect | BridgeReconnect): Promise<BridgeConnectAck> {
    return new Promise((resolve, reject) => {
      const socket: BridgeSocket = new (this.#options.WebSocket ?? WebSocket)(String(this.#options.url));
      this.#socket = socket;
      const late = setTimeout(() => socket.close(), 10_000);
      let refused: ConnectRefused | undefined;
      socket.onopen = () => this.#send(socket, first);
      socket.onmessage = ({ data }) => {
        const message = parse(data);
        if (!message || this.#socket !== socket) return;
        if (message.type === 'connect_ack') {
          clearTimeout(late);
          this.#accepted({ socket, ack: message });
          resolve(message);
        } else if (message.type === 'connect_error') {
          refused = new ConnectRefused(message);
          socket.close();
        } else if (this.#line?.socket === socket) {
          this.#receive(this.#line, message);
        }
      };
      socket.onclose = ({ code, reason }) => {
        clearTimeout(late);
        const error = refused ?? new Error(`The connection ended: ${code}${reason ? ` ${reason}` : ''}.`);
        if (this.#line?.socket === socket) this.#lost(error);
        else reject(error);
      };
    });
  }

  #accepted(line: Line): void {
    this.#line = line;
    this.#token = line.ack.reconnect_token;
    this.#keep();
    this.#listen();
    this.#enter('connected');
    // Send the responses that were produced while disconnected and that the server still awaits.
    for (const id of line.ack.awaiting) {
      const response = this.#ledger.response(id);
      if (response !== undefined) line.socket.send(response);
      else if (!this.#running.has(id)) this.#respond(id, { status: 'error', error: lost });
    }
  }

  #receive(line: Line, message: BridgeServerMessage): void {
    this.#listen();
    switch (message.type) {
      case 'ping':
        this.#send(line.socket, { type: 'pong', timestamp: new Date().toISOString(), latency_ms: Math.max(0, Date.now() - Date.parse(message.timestamp)) || 0 });
        break;
      case 'command':
      case 'batch_command':
        void this.#take(message);
        break;
      case 'cancel':
        this.#running.get(message.message_id)?.abort();
        break;
      case 'disconnect_ack':
        this.#token = message.reconnect_token;
        this.#farewell?.(message);
        this.#farewell = undefined;
        this.#keep();
        this.#leave(line.socket);
        this.#enter('idle');
        break;
      default:
        break;
    }
  }

  async #take(message: BridgeCommand | BridgeBatchCommand): Promise<void> {
    const id = message.message_id;
    if (!this.#ledger.remember(id)) return;  // A duplicate: the server did not know whether it had arrived.
    this.#keep();
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const payload = await this.#carryOut(message, abort.signal);
      this.#respond(id, { status: 'success', payload });
    } catch (error) {
      this.#respond(id, { status: 'error', error: failureOf(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #carryOut(message: BridgeCommand | BridgeBatchCommand, signal: AbortSignal): Promise<JsonObject> {
    if (message.options?.require_confirmation) {
      const agreed = await this.#options.confirm?.(message);
      if (!agreed) throw new CommandFailure('NOT_CONFIRMED', 'The person at the browser did not agree.');
    }
    const context: CommandContext = { messageId: message.message_id, signal, options: message.options ?? {} };
    if (message.type === 'batch_command') return runBatch(message, this.#handlers, context, this.#options.checkpoint);
    const handler = this.#handlers[message.command] as ((payload: unknown, context: CommandContext) => unknown) | undefined;
    if (!handler) throw new CommandFailure('PERMISSION_DENIED', `${message.command} is not done here.`);
    return (await handler(message.payload, context)) as JsonObject;
  }

  #respond(id: string, outcome: object): void {
    const shell = { message_id: id, type: 'response' };
    let text = JSON.stringify({ ...shell, ...outcome });
    const max = this.#line?.ack.server_capabilities.max_message_size ?? 1 << 20;
    if (new TextEncoder().encode(text).length > max)
      text = JSON.stringify({ ...shell, status: 'error', error: { code: 'MEMORY_LIMIT', message: `The answer has more than ${max} bytes.` } });
    this.#ledger.answer(id, text);
    if (this.#line?.socket.readyState === 1) this.#line.socket.send(text);
  }

  #lost(error: Error): void {
    this.#line = undefined;
    clearTimeout(this.#silence);
    this.#farewell?.(undefined);
    if (this.#farewell || this.#options.reconnect === false || !this.#token) {
      this.#farewell = undefined;
      return this.#end(error);
    }
    this.#enter('reconnecting', error);
    this.#again(this.#options.reconnectDelay ?? 250);
  }

  #again(delay: number): void {
    this.#retry = setTimeout(() => {
      if (!this.#token) return this.#end(undefined);
      this.#open(this.#comeback(this.#token)).catch((error: Error) => {
        if (this.#state !== 'reconnecting') return;
        if (error instanceof ConnectRefused && error.code !== 'CONNECTION_LIMIT') {
          this.#token = undefined;
          this.#end(error);
        } else {
          this.#again(Math.min(2 * delay, reconnectDelayMax));
        }
      });
    }, delay);
  }

  #end(error: Error | undefined): void {
    this.#leave(this.#socket);
    if (!this.#token) this.#keep();
    this.#enter('idle', error);
  }

  #leave(socket: BridgeSocket | undefined): void {
    clearTimeout(this.#silence);
    this.#socket = undefined;
    this.#line = undefined;
    socket?.close();
  }

  // A server that is silent for two ping intervals counts as disconnected, even if the socket is open.
  #listen(): void {
    clearTimeout(this.#silence);
    const line = this.#line;
    if (!line) return;
    this.#silence = setTimeout(() => {
      this.#socket = undefined;
      line.socket.onclose = null;
      line.socket.close();
      this.#lost(new Error('The server has not been heard.'));
    }, 2.5 * line.ack.keep_alive_interval);
    (this.#silence as { unref?: () => void }).unref?.();
  }

  #keep(): void {
    this.#options.onsession?.(this.#token ? { reconnectToken: this.#token, received: this.#ledger.ids() } : undefined);
  }

  #enter(state: BridgeState, error?: Error): void {
    this.#state = state;
    this.#options.onstate?.(state, error);
  }

  #send(socket: BridgeSocket, message: object): void {
    if (socket.readyState === 1) socket.send(JSON.stringify(message));
  }
}

function parse(data: unknown): BridgeServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(String(data));
    return value && typeof value === 'object' && 'type' in value ? (value as BridgeServerMessage) : undefined;
  } catch {
    return undefined;
  }
}
