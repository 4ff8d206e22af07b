import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress, type Server, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { CidrList } from '../config/cidr-list.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Address of the connection, or the one that a trusted proxy reports. Unlike `ip`, it is always an IP address,
     * even after a disconnect.
     */
    readonly clientAddress: string;
  }
}

const accepted = new WeakMap<Socket, string>();

/** Stores the address of each connection, since Node discards it when the connection closes. */
function rememberAddresses(server: Server): void {
  // With TLS, requests have the inner socket.
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? '');
    if (address === undefined) {
      // The connection was reset before it was accepted, so there is no address for the rate limit.
      socket.destroy();
      return;
    }
    accepted.set(socket, address);
  });
}

export function getAddress(socket: Socket): string {
  return accepted.get(socket) ?? parseAddress(socket.remoteAddress ?? '') ?? 'unknown';
}

export function registerClientAddresses(
  fastify: FastifyInstance,
  trustedProxies: readonly string[],
): void {
  const trusted = trustedProxies.length === 0 ? undefined : new CidrList(trustedProxies);
  rememberAddresses(fastify.server);
  fastify.decorateRequest('clientAddress', {
    getter(): string {
      return readClientAddress(this.raw, trusted);
    },
  });
}

/** Reads `x-forwarded-for` from its last entry on, while each hop is a trusted proxy and the entry is an address. */
function readClientAddress(request: IncomingMessage, trusted: CidrList | undefined): string {
  let address = getAddress(request.socket);
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
 * Parses an address with an optional port, brackets and zone. IPv4-mapped IPv6 becomes IPv4. Returns undefined for
 * anything else.
 */
export function parseAddress(text: string): string | undefined {
  const [, inBrackets, beforePort] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/u.exec(text) ?? [];
  const plain = (inBrackets ?? beforePort ?? text).replace(/%.*/su, '');
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

/** Returns the network of an address: /24 of IPv4, /64 of IPv6. */
export function getNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/iu, '').replace(/%.*/su, '');
  switch (isIP(plain)) {
    case 4:
      return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
    case 6:
      return `${expandGroups(plain).slice(0, 4).join(':')}::/64`;
    default:
      return 'unknown';
  }
}

function expandGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(missing).fill('0'), ...last].map((group) =>
    group.replace(/^0+(?=.)/u, '').toLowerCase(),
  );
}
