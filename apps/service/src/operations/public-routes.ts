interface PublicRoute {
  readonly method: 'GET';
  readonly path: string;
}

/** What tells nothing about anyone and asks for no key. */
export const PUBLIC_ROUTES = {
  about: { method: 'GET', path: '/' },
  healthz: { method: 'GET', path: '/healthz' },
  readyz: { method: 'GET', path: '/readyz' },
  metrics: { method: 'GET', path: '/metrics' },
  openapi: { method: 'GET', path: '/openapi.json' },
  docs: { method: 'GET', path: '/docs' },
  docsFile: { method: 'GET', path: '/docs/*' },
  problemType: { method: 'GET', path: '/problems/{type}' },
} as const satisfies Readonly<Record<string, PublicRoute>>;
