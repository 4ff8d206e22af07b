import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';

/** Returns the URL under which this machine reaches the server. */
export function getListeningUrl(server: Server, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The server does not listen on a port');
  }
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${toUrlHost(host)}:${address.port}`;
}

/** Returns the public URL without a trailing slash: the setting, or the address that the server listens on. */
export function getPublicUrl(
  { publicUrl, host }: { readonly publicUrl: string; readonly host: string },
  server: () => Server,
): () => string {
  const url = publicUrl.replace(/\/$/u, '');
  return () => (url === '' ? getListeningUrl(server(), host) : url);
}

function toUrlHost(host: string): string {
  if (host === '0.0.0.0') {
    return '127.0.0.1';
  }
  if (host === '::') {
    return '[::1]';
  }
  return host.includes(':') ? `[${host}]` : host;
}
