import type { ProblemKind } from '../../bridge/problem.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The service's address as it is kept: https, or http on this very computer, with a path prefix if there is one.
 * "clinic.example" alone is taken as https.
 */
export function serviceAddress(typed: string): { address: string } | { problem: ProblemKind } {
  const trimmed = typed.trim();
  const url = parsed(/^[a-z][a-z\d+.-]*:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === undefined || url.hostname === '') return { problem: 'invalidAddress' };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return { problem: 'invalidAddress' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'invalidAddress' };
  if (url.protocol === 'http:' && !loopback.has(url.hostname)) {
    return { problem: 'insecureAddress' };
  }
  return { address: url.origin + url.pathname.replace(/\/+$/u, '') };
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The public part of a staff key (`cg_live_<key id>_<secret>`), to tell keys apart. */
export function keyIdOf(key: string): string | undefined {
  return /^cg_[a-z]+_([0-9A-Za-z]{1,40})_/u.exec(key)?.[1];
}
