import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { protocol, type Session } from 'electron';
import { APP_HOST, APP_SCHEME } from './sender.ts';
import { findPageFile, buildPageHeaders } from './page.ts';

/** Call this before `ready`. Registers app:// as a secure scheme with its own origin. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

export function serveApp(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    const found =
      host === APP_HOST && request.method === 'GET' ? findPageFile(folder, pathname) : undefined;
    if (found === undefined) return buildNotFound();
    const nonce = randomBytes(18).toString('base64');
    try {
      const content = await readFile(found.file);
      const body = found.contentType.startsWith('text/html')
        ? content.toString('utf8').replaceAll('__CSP_NONCE__', nonce)
        : new Uint8Array(content);
      return new Response(body, { headers: buildPageHeaders(found.contentType, nonce) });
    } catch {
      return buildNotFound();
    }
  });
}

function buildNotFound(): Response {
  return new Response('Not found', {
    status: 404,
    headers: buildPageHeaders('text/plain; charset=utf-8', 'none'),
  });
}
