import type { ProblemKind } from '../../shared/problem.ts';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Accepts https, and http only for this computer. An address without a scheme, such as "clinic.example", means https. */
export function parseServiceAddress(input: string): { address: string } | { problem: ProblemKind } {
  const trimmed = input.trim();
  const text = /^[a-z][a-z\d+.-]*:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(text)) return { problem: 'invalidAddress' };
  const url = new URL(text);
  if (url.hostname === '') return { problem: 'invalidAddress' };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return { problem: 'invalidAddress' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'invalidAddress' };
  if (url.protocol === 'http:' && !loopbackHosts.has(url.hostname)) {
    return { problem: 'insecureAddress' };
  }
  return { address: url.origin + url.pathname.replace(/(?<!\/)\/+$/u, '') };
}
