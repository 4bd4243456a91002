// Echo server on the npm package `ws`, without other layers.
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 4096 }, () => {
  process.stdout.write(`ws://127.0.0.1:${server.address().port}/\n`);
});
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});
