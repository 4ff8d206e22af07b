import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** A list of networks. IPv4-mapped IPv6 addresses are treated as IPv4. */
export class CidrList {
  // Node would match IPv4 addresses with the IPv6 network ::/0, so each version has a list of its own.
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();
  readonly #empty: boolean;

  /** @throws Error whose message names the first text that is not a network */
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
  const [, address = '', digits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/u.exec(cidr) ?? [];
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
  const bits = family === 'ipv4' ? 32 : 128;
  const prefix = digits === undefined ? bits : Number(digits);
  if (family === undefined || prefix > bits) {
    throw new Error(`"${cidr}" is not an IP address or network such as 10.1.0.0/16.`);
  }
  if (/^::ffff:/iu.test(address)) {
    throw new Error(`"${cidr}" is an IPv4 network in IPv6 form; write it as IPv4.`);
  }
  return { address, prefix, family };
}
