import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';

/** The URL of a server that listens on a port, as this machine reaches it. */
export function listeningUrl(server: Server, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The server does not listen on a port');
  }
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${urlHost(host)}:${address.port}`;
}

/**
 * The URL of the service as its clients have it, without a slash at the end: the setting, or else the address that the
 * server listens on, from when it listens.
 */
export function publicUrlOf(
  { publicUrl, host }: { readonly publicUrl: string; readonly host: string },
  server: () => Server,
): () => string {
  let url = publicUrl.replace(/\/$/u, '');
  return () => {
    if (url === '') {
      url = listeningUrl(server(), host);
    }
    return url;
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') {
    return '127.0.0.1';
  }
  if (host === '::') {
    return '[::1]';
  }
  return host.includes(':') ? `[${host}]` : host;
}
