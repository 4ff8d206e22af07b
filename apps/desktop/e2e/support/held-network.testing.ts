import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The network between a desk and its service: not there, or so slow that nothing comes through until it is let. */
export interface HeldNetwork {
  /** Of the service, as the desk knows it. */
  readonly address: string;
  /** Ends the connections, and takes no more of them. */
  cut(): Promise<void>;
  /** Everything comes through; what was kept first. */
  let(): Promise<void>;
  /** @param service its own address, before anything is let through */
  leadTo(service: string): void;
  stop(): Promise<void>;
}

/** It takes connections at first, and keeps what is sent. */
export async function startHeldNetwork(): Promise<HeldNetwork> {
  let target = { hostname: '', port: '' };
  let isHeld = true;
  const sockets = new Set<Socket>();
  const held = new Map<Socket, Buffer[]>();
  const keep = (from: Socket): void => {
    const kept: Buffer[] = [];
    held.set(from, kept);
    // Read all the same: of a connection that its desk gave up, nobody would know otherwise.
    from.on('data', (chunk) => kept.push(chunk));
    from.on('end', () => held.delete(from));
  };
  const pass = (from: Socket, kept: readonly Buffer[] = []): void => {
    if (from.destroyed) return;
    const to = connect(Number(target.port), target.hostname);
    sockets.add(to);
    to.on('error', () => from.destroy()).on('close', () => from.destroy());
    from.on('close', () => to.destroy());
    from.removeAllListeners('data');
    for (const chunk of kept) to.write(chunk);
    from.pipe(to).pipe(from);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    // A connection that one side gave up is nothing wrong here.
    socket.on('error', () => undefined);
    if (isHeld) keep(socket);
    else pass(socket);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  return {
    address: `http://127.0.0.1:${String(port)}`,
    cut: close,
    let: async () => {
      isHeld = false;
      for (const [socket, kept] of held) pass(socket, kept);
      held.clear();
      // In the meantime somebody else's connection may have got the port, for a while.
      for (let tries = 1; !server.listening; tries += 1) {
        try {
          await listen(port);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries > 600) throw error;
          await sleep(100);
        }
      }
    },
    leadTo: (service) => {
      target = new URL(service);
    },
    stop: close,
  };
}
