// HTTP responses that all stand-in models use.
export function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

// Begins a stream of server-sent events and returns the function that sends one.
export function eventStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (data, event) => response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
}
