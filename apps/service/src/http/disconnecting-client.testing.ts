import { connect, type Socket } from 'node:net';

/** Ways to disconnect without waiting for a response. */
const departures: Readonly<Record<string, (socket: Socket, text: string) => void>> = {
  closed: (socket, text) => {
    socket.write(text, () => socket.destroy());
  },
  reset: (socket, text) => {
    socket.write(text, () => socket.resetAndDestroy());
  },
  'half-closed': (socket, text) => {
    socket.end(text);
    socket.destroySoon();
  },
  'reset while it is answered': (socket, text) => {
    socket.write(text);
    setTimeout(() => socket.resetAndDestroy(), 3);
  },
};

// A separate process. Within the service's own process, a client can't disconnect before its request is read.
const [port, connections, how = '', text = ''] = process.argv.slice(2);
for (let left = Number(connections); left > 0; left -= 1) {
  const socket = connect(Number(port), '127.0.0.1', () => departures[how]?.(socket, text));
  socket.on('error', () => undefined);
}
