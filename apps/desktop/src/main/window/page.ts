import { extname, join, resolve, sep } from 'node:path';

/**
 * Allows only the app's own files. Remote content, eval, workers and Trusted Types policies are forbidden, and styles
 * need the nonce.
 */
export function buildContentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export function buildPageHeaders(contentType: string, nonce: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': buildContentPolicy(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

export function findPageFile(
  folder: string,
  pathname: string,
): { file: string; contentType: string } | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const root = resolve(folder);
  const file = join(root, path === '/' ? 'index.html' : path);
  const contentType = types[extname(file)];
  if (!file.startsWith(root + sep) || path.includes('\0') || contentType === undefined) {
    return undefined;
  }
  return { file, contentType };
}
