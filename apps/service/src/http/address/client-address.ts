import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress, type Server, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { CidrList } from './cidr-list.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The client IP address: of the connection or, behind a trusted proxy, as reported by it. Unlike `ip` it stays available
     * after a disconnect, and it is always an IP address.
     */
    readonly clientAddress: string;
  }
}

const accepted = new WeakMap<Socket, string>();

/** Stores the remote address of each connection: Node discards it when the connection closes. */
function rememberAddresses(server: Server): void {
  // With TLS, requests are of the socket inside the connection.
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? '');
    if (address === undefined) {
      // Reset before it was accepted: there is no client, and no address to count its requests for.
      socket.destroy();
      return;
    }
    accepted.set(socket, address);
  });
}

/** The remote address of a connection. */
export function addressOf(socket: Socket): string {
  return accepted.get(socket) ?? parseAddress(socket.remoteAddress ?? '') ?? 'unknown';
}

/** Adds `clientAddress` to requests. */
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

/** Follows `x-forwarded-for` from the last entry, as long as each hop is a trusted proxy and the entry is an address. */
function clientAddress(request: IncomingMessage, trusted: CidrList | undefined): string {
  let address = addressOf(request.socket);
  const forwarded = request.headers['x-forwarded-for'];
  if (trusted === undefined || typeof forwarded !== 'string') {
    return address;
  }
  for (const hop of forwarded.split(',').reverse()) {
    const named = trusted.allows(address) ? parseAddress(hop.trim()) : undefined;
    if (named === undefined) {
      break;
    }
    address = named;
  }
  return address;
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443` into the canonical address,
 * without a zone; IPv4-mapped IPv6 as IPv4. `undefined` for anything else.
 */
export function parseAddress(text: string): string | undefined {
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
