// The minimum that a Node program must do to echo a message: no SDK, no validation, no eras. It answers all
// messages of a chunk with one write.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === 'tools/call'
        ? { content: [{ type: 'text', text: params.arguments.text }] }
        : { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } };
    out += JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n';
  }
  process.stdout.write(out);
});
