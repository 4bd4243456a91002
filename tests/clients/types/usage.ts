// Correct uses of the generated types, and wrong ones that the types must reject. Compiled, but not run.
import type {
  BlobId, Branded, CallTool, Fingerprint, LeaseId, mcp, Messages, SnapshotFileOutput, SnapshotId, ToolCall, ToolErrors,
  ToolInputs, ToolName, ToolOutputs,
} from 'snapgen';

declare const callTool: CallTool;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const yes = <T extends true>() => undefined as T | undefined;

// Both spellings of a name mean the same tool.
yes<Same<ToolInputs['snapshot.file'], ToolInputs['snapshot_file']>>();
yes<Same<ToolOutputs['snapshot.grep'], ToolOutputs['snapshot_grep']>>();
export const names: ToolName[] = ['snapshot.create', 'snapshot_create'];
// @ts-expect-error the tool does not exist
export const wrongName: ToolName = 'snapshot.crate';

// A call has the argument and result types of its tool.
export async function read(): Promise<string> {
  const answer = await callTool('snapshot_file', { path: 'README.md', start_line: 1 });
  yes<Same<typeof answer, SnapshotFileOutput>>();
  // A member identifies a failure, and a constant a success. The type then has the members of that case.
  if ('error' in answer) return answer.error.code === 'STALE_LEASE' ? 'again' : answer.error.message;
  // @ts-expect-error only an answer about the work tree has a lease
  answer.lease_id;
  if (answer.cache_hint === 'until_dirty') {
    const lease: LeaseId = answer.lease_id;
    await callTool('snapshot.grep', { pattern: 'x', lease_id: lease });
  }
  // @ts-expect-error no alternative has this constant
  if (answer.cache_hint === 'forever') return '';
  if (!('content' in answer)) return '';  // The answer of a call with paths.
  const lines: number | undefined = answer.total_lines;
  // @ts-expect-error total_lines may be absent
  const certain: number = answer.total_lines;
  return answer.content + lines + certain;
}
export function failed(answer: SnapshotFileOutput): string {
  if (answer.cache_hint === undefined) return answer.error.message;
  return 'content' in answer ? answer.content : answer.files.map(({ path }) => path).join(' ');
}
export async function wrong(snapshot: SnapshotId, lease: LeaseId, blob: BlobId) {
  await callTool('snapshot.info', { snapshot_id: snapshot });
  await callTool('snapshot.info', { snapshot_id: 'snap_ab8e276bbd' });
  // @ts-expect-error a lease is not a snapshot
  await callTool('snapshot.info', { snapshot_id: lease });
  // @ts-expect-error a blob is not a snapshot
  await callTool('snapshot.info', { snapshot_id: blob });
  // @ts-expect-error the arguments are those of another tool
  await callTool('snapshot.info', { path: 'x' });
  // @ts-expect-error an array is not a string
  await callTool('snapshot.create', { paths: 'src' });
  // @ts-expect-error null is not an absent member
  await callTool('snapshot.create', { paths: null });
  const text: string = snapshot;
  const branded: Branded<string, 'SnapshotId'> = snapshot;
  return text + branded;
}

// The params of a request of one tool, and of any tool.
export const call: ToolCall = { name: 'snapshot_list', arguments: { path: 'src', recursive: true } };
export const one: ToolCall<'snapshot.info'> = { name: 'snapshot.info', arguments: { snapshot_id: 'snap_1' } };
// @ts-expect-error the arguments are those of a different tool
export const mixed: ToolCall = { name: 'snapshot_info', arguments: { path: 'src' } };

// Arguments are assignable to the object type of an SDK.
export const params: { [key: string]: unknown } = {} as ToolInputs['snapshot.grep'];
export const code: ToolErrors['snapshot.info'] = 'NOT_FOUND';
// @ts-expect-error snapshot.info has no lease, so no STALE_LEASE
export const otherCode: ToolErrors['snapshot.info'] = 'STALE_LEASE';

// Types of messages can be imported from the modules of their schema files and of the protocol.
yes<Same<Messages['common/fingerprint'], Fingerprint>>();
export function show(block: mcp.ContentBlock): string {
  return block.type === 'text' ? block.text : block.type === 'image' ? block.data : block.type;
}
