// The types of handlers, the errors that they report, and the execution of batches.
import type {
  BatchResult, BatchStep, BridgeBatchCommand, CommandError, CommandErrorCode, CommandName, CommandOptions, CommandPayloads, CommandResults,
} from './types/bridge.js';
import type { JsonObject } from './types/json.js';

export interface CommandContext {
  messageId: string;
  /** Aborted when the host no longer waits. */
  signal: AbortSignal;
  options: CommandOptions;
}

/** Handlers by command name. A handler throws CommandFailure to report an error. */
export type CommandHandlers = {
  [Name in CommandName]?: (payload: CommandPayloads[Name], context: CommandContext) => CommandResults[Name] | Promise<CommandResults[Name]>;
};

/** An error that is reported to the host. */
export class CommandFailure extends Error {
  readonly code: CommandErrorCode;
  readonly details: JsonObject | undefined;
  readonly recoverySuggestions: string[];
  constructor(code: CommandErrorCode, message: string, details?: JsonObject, recoverySuggestions: string[] = []) {
    super(message);
    this.name = 'CommandFailure';
    this.code = code;
    this.details = details;
    this.recoverySuggestions = recoverySuggestions;
  }
}

const messageMax = 4000;

export function failureOf(error: unknown): CommandError {
  const known = error instanceof CommandFailure;
  const message = (known ? error.message : String(error)).slice(0, messageMax);
  return {
    code: known ? error.code : 'JAVASCRIPT_ERROR',
    message,
    ...(known && error.details ? { details: error.details } : {}),
    ...(known && error.recoverySuggestions.length > 0 ? { recovery_suggestions: error.recoverySuggestions } : {}),
  };
}

type Outcome = BatchResult['results'][number];

export async function runBatch(
  batch: BridgeBatchCommand,
  handlers: CommandHandlers,
  context: CommandContext,
  checkpoint: (() => (() => void | Promise<void>) | Promise<() => void | Promise<void>>) | undefined,
): Promise<JsonObject> {
  const { execute_sequentially: inOrder = true, stop_on_error: stops = false, rollback_on_error: rollsBack = false } = batch.options ?? {};
  if (rollsBack && !checkpoint) throw new CommandFailure('PERMISSION_DENIED', 'Batches cannot be undone here.');
  const undo = rollsBack ? await checkpoint?.() : undefined;
  let failed = false;
  const step = async ({ command, payload }: BatchStep): Promise<Outcome> => {
    if ((failed && stops) || context.signal.aborted) return { status: 'skipped' };
    try {
      const handler = handlers[command] as ((payload: unknown, context: CommandContext) => unknown) | undefined;
      if (!handler) throw new CommandFailure('PERMISSION_DENIED', `${command} is not done here.`);
      return { status: 'success', payload: (await handler(payload, context)) as JsonObject };
    } catch (error) {
      failed = true;
      return { status: 'error', error: failureOf(error) };
    }
  };
  const results: Outcome[] = [];
  if (inOrder) for (const each of batch.commands) results.push(await step(each));
  else results.push(...(await Promise.all(batch.commands.map(step))));
  if (failed && undo) await undo();
  return { results, ...(failed && undo ? { rolled_back: true } : {}) } as unknown as JsonObject;
}
