// Echo server on the TypeScript SDK v2 over HTTP, both eras, behind Node's http server. Prints its address.
import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1' }, { capabilities: { tools: {} } });
  server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
});

const listener = createServer(async (asked, answer) => {
  const chunks = [];
  for await (const chunk of asked) chunks.push(chunk);
  const request = new Request(`http://${asked.headers.host}${asked.url}`, {
    method: asked.method,
    headers: asked.headers,
    body: asked.method === 'POST' ? Buffer.concat(chunks) : undefined,
  });
  const response = await handler.fetch(request);
  const body = Buffer.from(await response.arrayBuffer());
  answer.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.length });
  answer.end(body);
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
