import { BlockList, isIP } from 'node:net';
import { CidrList } from './cidr-list.ts';

export interface Parser<T> {
  (text: string): Parsed<T>;
  /** What the text must be, for messages and docs/configuration.md. */
  readonly expects: string;
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

const refused = { ok: false } as const;

export function wholeNumber(min: number, max: number): Parser<number> {
  return parser(`a whole number, ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/u.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? { ok: true, value } : refused;
  });
}

export function oneOf<const T extends string>(words: readonly T[]): Parser<T> {
  return parser(`one of ${words.join(', ')}`, (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? refused : { ok: true, value };
  });
}

export function text(expects: string): Parser<string> {
  return parser(expects, (given) => (given.trim() === '' ? refused : { ok: true, value: given }));
}

export const hostName: Parser<string> = parser('an IP address or a host name', (given) =>
  isIP(given) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/iu.test(given)
    ? { ok: true, value: given }
    : refused,
);

/** `/0` is rejected: trusting every client's `x-forwarded-for` would disable the limits by address. */
export const cidrList: Parser<readonly string[]> = parser(
  'IP addresses or CIDR ranges (not /0), separated by commas',
  (given) => {
    const value = given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return value.every(isCidr) ? { ok: true, value } : refused;
  },
);

function isCidr(range: string): boolean {
  try {
    new CidrList([range]);
    return !/\/0+$/u.test(range);
  } catch {
    return false;
  }
}

export const postgresUrl: Parser<string> = parser(
  'a postgresql:// URL with a host and a database',
  (given) => {
    const url = URL.parse(given);
    const named = url !== null && url.pathname.length > 1 && url.hostname !== '';
    return named && ['postgres:', 'postgresql:'].includes(url.protocol)
      ? { ok: true, value: given }
      : refused;
  },
);

export const webUrl: Parser<string> = parser(
  'an https:// URL (http:// only for this machine) without query',
  (given) => {
    const url = URL.parse(given);
    const isSafe =
      url !== null &&
      (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(hostOf(url)))) &&
      url.username === '' &&
      !/[?#]/u.test(given);
    return isSafe ? { ok: true, value: given } : refused;
  },
);

/** The URL of an issuer without the slash at its end, which providers write in either way. */
export const issuerUrl: Parser<string> = parser(webUrl.expects, (given) => {
  const parsed = webUrl(given);
  return parsed.ok ? { ok: true, value: withoutFinalSlash(parsed.value) } : parsed;
});

export function withoutFinalSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/gu, '');
}

function parser<T>(expects: string, read: (text: string) => Parsed<T>): Parser<T> {
  return Object.assign(read, { expects });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return loopback.check(host, 'ipv4');
    case 6:
      return loopback.check(host, 'ipv6');
    default:
      return host.toLowerCase() === 'localhost';
  }
}

/** Local, verified TLS or `sslmode=disable`: others only look safe, and a second `sslmode` or `ssl` overrides the first. */
export function isSafeDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const hosts = searchParams.has('host') ? searchParams.getAll('host') : [hostname];
  const stays = hosts.every((host) => {
    const name = decodeURIComponent(host).replace(/^\[(.*)\]$/u, '$1');
    return name.startsWith('/') || isLoopback(name);
  });
  const modes = searchParams.getAll('sslmode').join();
  const isClear = ['verify-full', 'disable'].includes(modes);
  return stays || (isClear && !searchParams.has('ssl') && !searchParams.has('uselibpqcompat'));
}
