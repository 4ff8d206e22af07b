import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress, type Server, type Socket } from 'node:net';
import { CidrList } from './cidr-list.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The IP address that a request came from: of its connection or, behind a trusted proxy, as that one says. Unlike
     * `ip` it stays known when the connection has gone, and it is always an address.
     */
    readonly clientAddress: string;
  }
}

const accepted = new WeakMap<Socket, string>();

/** Notes where each connection comes from while that can be asked: Node forgets it when the connection closes. */
function rememberAddresses(server: Server): void {
  server.on('connection', (socket) => {
    const address = addressIn(socket.remoteAddress ?? '');
    if (address === undefined) {
      // Reset before it was taken: nobody is there to answer, nor can it be said whom its requests count for.
      socket.destroy();
      return;
    }
    accepted.set(socket, address);
  });
}

/** The address that a connection was accepted from. */
export function addressOf(socket: Socket): string {
  return accepted.get(socket) ?? addressIn(socket.remoteAddress ?? '') ?? 'unknown';
}

/** Gives every request its `clientAddress`. */
export function registerClientAddresses(
  fastify: FastifyInstance,
  trustedProxies: readonly string[],
): void {
  const trusted = trustedProxies.length === 0 ? undefined : new CidrList(trustedProxies);
  rememberAddresses(fastify.server);
  fastify.decorateRequest('clientAddress', {
    getter(): string {
      return clientAddress(this.raw, trusted);
    },
  });
}

/** From the connection backwards through `x-forwarded-for`, as far as each hop is a trusted proxy that names an address. */
function clientAddress(request: IncomingMessage, trusted: CidrList | undefined): string {
  let address = addressOf(request.socket);
  const forwarded = request.headers['x-forwarded-for'];
  if (trusted === undefined || typeof forwarded !== 'string') {
    return address;
  }
  for (const hop of forwarded.split(',').reverse()) {
    const named = trusted.allows(address) ? addressIn(hop.trim()) : undefined;
    if (named === undefined) {
      break;
    }
    address = named;
  }
  return address;
}

/**
 * The address in `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`, in one spelling
 * and without a zone; IPv4 in IPv6 as IPv4. `undefined` for anything else.
 */
export function addressIn(text: string): string | undefined {
  const [, inBrackets, beforePort] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/u.exec(text) ?? [];
  const plain = (inBrackets ?? beforePort ?? text).replace(/%.*$/u, '');
  switch (isIP(plain)) {
    case 4:
      return inBrackets === undefined ? plain : undefined;
    case 6:
      return new SocketAddress({ address: plain, family: 'ipv6' }).address.replace(
        /^::ffff:(?=\d+\.)/u,
        '',
      );
    default:
      return undefined;
  }
}
