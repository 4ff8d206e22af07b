import { BlockList, isIPv4, isIPv6 } from 'node:net';

export class CidrError extends Error {
  override readonly name = 'CidrError';
}

/** A list of networks. IPv4-mapped IPv6 addresses are treated as IPv4. */
export class CidrList {
  // Node would match IPv4 addresses with the IPv6 network ::/0, so each version has a list of its own.
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();
  readonly #empty: boolean;

  constructor(cidrs: readonly string[]) {
    this.#empty = cidrs.length === 0;
    for (const cidr of cidrs) {
      const { address, prefix, family } = parseCidr(cidr);
      (family === 'ipv4' ? this.#ipv4 : this.#ipv6).addSubnet(address, prefix, family);
    }
  }

  /** An empty list allows any address. */
  allows(address: string): boolean {
    if (this.#empty) {
      return true;
    }
    const plain = address.replace(/%.*/u, '');
    if (isIPv4(plain)) {
      return this.#ipv4.check(plain, 'ipv4');
    }
    // This also matches IPv4-mapped IPv6 addresses.
    return isIPv6(plain) && (this.#ipv4.check(plain, 'ipv6') || this.#ipv6.check(plain, 'ipv6'));
  }
}

function parseCidr(cidr: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } {
  const match = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/u.exec(cidr);
  const [address, digits] = (match ?? [cidr]).slice(1);
  const family = readFamily(address);
  const bits = family === 'ipv4' ? 32 : 128;
  const prefix = digits === undefined ? bits : Number(digits);
  if (address === undefined || family === undefined || prefix > bits) {
    throw new CidrError(`"${cidr}" is not an IP address or network such as 10.1.0.0/16.`);
  }
  if (/^::ffff:/iu.test(address)) {
    throw new CidrError(`"${cidr}" is an IPv4 network in IPv6 form; write it as IPv4.`);
  }
  return { address, prefix, family };
}

function readFamily(address = ''): 'ipv4' | 'ipv6' | undefined {
  return isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
}
