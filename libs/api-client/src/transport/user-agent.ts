/** Of this package; a release writes it with the one in package.json. */
export const VERSION = '0.1.0';

/** Under Node and what is like it. A browser has its own, and would ask the service first whether it may send another. */
export function userAgent(): Readonly<Record<string, string>> {
  const { process } = globalThis as { process?: { versions?: object } };
  return process?.versions ? { 'user-agent': `caregate-api-client/${VERSION}` } : {};
}
