/** Version of this package. A release sets it together with the one in package.json. */
export const VERSION = '0.1.0';

/**
 * Returns a `User-Agent` header under Node and similar runtimes. A browser sends its own, and a different one would
 * cause a CORS preflight.
 */
export function buildUserAgentHeader(): Readonly<Record<string, string>> {
  const { process } = globalThis as { process?: { versions?: object } };
  return process?.versions ? { 'user-agent': `caregate-api-client/${VERSION}` } : {};
}
