import { isIP } from 'node:net';
import { CidrList } from './cidr-list.ts';

/** Parses the text of a setting. Returns undefined if the text is invalid. */
export interface Parser<T> {
  (text: string): T | undefined;
  /** What the text must be, for error messages and docs/configuration.md. */
  readonly expects: string;
}

function createParser<T>(expects: string, parse: (text: string) => T | undefined): Parser<T> {
  return Object.assign(parse, { expects });
}

export function createIntegerParser(min: number, max: number): Parser<number> {
  return createParser(`a whole number, ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/u.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

export function createChoiceParser<const T extends string>(words: readonly T[]): Parser<T> {
  return createParser(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text));
}

export function createTextParser(expects: string): Parser<string> {
  return createParser(expects, (text) => (text.trim() === '' ? undefined : text));
}

export const hostName = createParser('an IP address or a host name', (text) =>
  isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/iu.test(text) ? text : undefined,
);

/** Refuses `/0`: with it, any client could set its own address in `x-forwarded-for` and evade the rate limit. */
export const cidrList = createParser<readonly string[]>(
  'IP addresses or CIDR ranges (not /0), separated by commas',
  (text) => {
    const ranges = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    try {
      new CidrList(ranges);
    } catch {
      return undefined;
    }
    return ranges.some((range) => /\/0+$/u.test(range)) ? undefined : ranges;
  },
);

export const postgresUrl = createParser(
  'a postgresql:// URL with a host and a database',
  (text) => {
    const url = URL.parse(text);
    const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol);
    return isPostgres && url.hostname !== '' && url.pathname.length > 1 ? text : undefined;
  },
);

export const webUrl = createParser(
  'an https:// URL (http:// only for this machine) without query',
  (text) => {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || /[?#]/u.test(text)) {
      return undefined;
    }
    const isLocal = url.protocol === 'http:' && isLoopback(formatHost(url));
    return url.protocol === 'https:' || isLocal ? text : undefined;
  },
);

/** Removes a slash at the end, since providers write their issuer with or without it. */
export const issuerUrl = createParser(webUrl.expects, (text) => {
  const url = webUrl(text);
  return url === undefined ? undefined : withoutFinalSlash(url);
});

export function withoutFinalSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

export function formatHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/gu, '');
}

const loopback = new CidrList(['127.0.0.0/8', '::1']);

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || loopback.allows(host);
}

/**
 * Accepts a local database, verified TLS or `sslmode=disable`. Other modes only look safe, and a second `sslmode` or
 * `ssl` would override the first.
 */
export function isSafeDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const hosts = searchParams.has('host') ? searchParams.getAll('host') : [hostname];
  const isLocalDatabase = hosts.every((host) => {
    const name = decodeURIComponent(host).replace(/^\[(.*)\]$/u, '$1');
    return name.startsWith('/') || isLoopback(name);
  });
  const modes = searchParams.getAll('sslmode').join();
  const hasSafeMode = ['verify-full', 'disable'].includes(modes);
  return (
    isLocalDatabase ||
    (hasSafeMode && !searchParams.has('ssl') && !searchParams.has('uselibpqcompat'))
  );
}
