import { connect, type Socket } from 'node:net';

/** Ways to go away without waiting for an answer. */
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

// A process of its own: beside the service in one process, a sender is never quicker than what reads it.
const [port, connections, how = '', text = ''] = process.argv.slice(2);
for (let left = Number(connections); left > 0; left -= 1) {
  const socket = connect(Number(port), '127.0.0.1', () => departures[how]?.(socket, text));
  socket.on('error', () => undefined);
}
