interface PublicRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** No key or session, no personal data. `metrics` needs its token, the last four the proof of a desk's key. */
export const PUBLIC_ROUTES = {
  about: { method: 'GET', path: '/' },
  healthz: { method: 'GET', path: '/healthz' },
  readyz: { method: 'GET', path: '/readyz' },
  metrics: { method: 'GET', path: '/metrics' },
  openapi: { method: 'GET', path: '/openapi.json' },
  docs: { method: 'GET', path: '/docs' },
  docsFile: { method: 'GET', path: '/docs/*' },
  signInInfo: { method: 'GET', path: '/access/sign-in' },
  fhirMetadata: { method: 'GET', path: '/fhir/r4/metadata' },
  problemType: { method: 'GET', path: '/problems/{type}' },
  enrolDesk: { method: 'POST', path: '/access/desks' },
  offerDeskKey: { method: 'POST', path: '/access/desks/key' },
  beginSession: { method: 'POST', path: '/access/sessions' },
  readBadge: { method: 'POST', path: '/access/badges' },
} as const satisfies Readonly<Record<string, PublicRoute>>;

/** Health checks and metrics are exempt from the limits: whoever watches the service needs them while others are refused. */
export function isProbe(name: string): boolean {
  return name === 'healthz' || name === 'readyz' || name === 'metrics';
}
