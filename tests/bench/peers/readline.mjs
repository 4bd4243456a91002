// bare.mjs in the usual form: node:readline, and one write for each answer.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'tools/call'
      ? { content: [{ type: 'text', text: params.arguments.text }] }
      : { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'readline', version: '1' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n');
});
