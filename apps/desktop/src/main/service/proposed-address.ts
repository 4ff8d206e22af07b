import { Resolver } from 'node:dns/promises';
import type { SrvRecord } from 'node:dns';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { serviceAddress } from './service-address.ts';

interface Network {
  readonly domains: readonly string[];
  readonly resolveSrv: (name: string) => Promise<SrvRecord[]>;
}

/** RFC 2782, `_caregate._tcp`. Untrusted: always https, and the user confirms it. Never throws. */
export async function proposedAddress({
  domains,
  resolveSrv,
}: Network): Promise<string | undefined> {
  for (const domain of domains) {
    let records: SrvRecord[];
    try {
      records = await resolveSrv(`_caregate._tcp.${domain}`);
    } catch {
      continue;
    }
    const [best] = records.toSorted(
      (a, b) => a.priority - b.priority || b.weight - a.weight || (a.name < b.name ? -1 : 1),
    );
    if (best === undefined || !isHostName(best.name)) continue;
    const found = serviceAddress(`https://${best.name}:${String(best.port)}`);
    if ('address' in found) return found.address;
  }
  return undefined;
}

export async function proposalFor(
  known: string,
  network: () => Network,
): Promise<string | undefined> {
  return known === '' ? proposedAddress(network()) : undefined;
}

export function thisNetwork(): Network {
  let resolvConf = '';
  try {
    resolvConf = readFileSync('/etc/resolv.conf', 'utf8');
  } catch {
    // Windows has none.
  }
  // One short try: nobody waits for it.
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  return {
    domains: domainsOf({ hostname: hostname(), env: process.env, resolvConf }),
    resolveSrv: (name) => resolver.resolveSrv(name),
  };
}

export function domainsOf(from: {
  readonly hostname: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly resolvConf: string;
}): string[] {
  const searched = [...from.resolvConf.matchAll(/^\s*(?:search|domain)\s+(.*)$/gmu)].flatMap(
    ([, names = '']) => names.trim().split(/\s+/u),
  );
  const all = [
    from.hostname.replace(/^[^.]*\.?/u, ''),
    from.env['USERDNSDOMAIN'] ?? '',
    ...searched,
  ];
  const names = all.map((name) => name.toLowerCase().replace(/\.$/u, '')).filter(isHostName);
  // Single-label domains (`lan`, `com`) belong to nobody.
  return [...new Set(names)].filter((name) => name.includes('.')).slice(0, 4);
}

function isHostName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/iu.test(name)
  );
}
