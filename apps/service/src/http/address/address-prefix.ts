import { isIP } from 'node:net';

/** The network of an address: /24 of IPv4, /64 of IPv6. */
export function addressPrefix(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/iu, '').replace(/%.*/su, '');
  switch (isIP(plain)) {
    case 4:
      return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
    case 6:
      return `${groupsOf(plain).slice(0, 4).join(':')}::/64`;
    default:
      return 'unknown';
  }
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(missing).fill('0'), ...last].map((group) =>
    group.replace(/^0+(?=.)/u, '').toLowerCase(),
  );
}
