import { extname, join, resolve, sep } from 'node:path';

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

export function pageFile(
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
