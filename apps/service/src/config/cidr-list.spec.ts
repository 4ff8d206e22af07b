import { describe, expect, it } from '@jest/globals';
import { CidrList } from './cidr-list.ts';

describe('the networks of a key', () => {
  it.each([
    ['10.1.0.0/16', '10.1.255.255', true],
    ['10.1.0.0/16', '10.2.0.0', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.0.0/16', '::ffff:10.1.2.3', true],
    ['10.1.0.0/16', '::ffff:a01:203', true],
    ['10.1.0.0/16', '::ffff:10.2.2.3', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::/0', '10.1.2.3', false],
    ['0.0.0.0/0', '10.1.2.3', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', 'not an address', false],
  ])('%s let %s in: %s', (cidr, address, allowed) => {
    expect(new CidrList([cidr]).allows(address)).toBe(allowed);
  });

  it.each(['', 'x10.1.0.0/16', '10.1.0.0/33', '2001:db8::/129', '10.1/16', '10.1.0.0/16 '])(
    'are refused by name: %p',
    (cidr) => {
      expect(() => new CidrList([cidr])).toThrow(`"${cidr}"`);
      expect(() => new CidrList([cidr])).toThrow(`"${cidr}" is not an IP address or network`);
    },
  );

  it('refuse an IPv4 network in IPv6 form, which Node would take for something else', () => {
    for (const cidr of ['::ffff:10.1.0.0/112', '::FFFF:a01:0/112']) {
      expect(() => new CidrList([cidr])).toThrow('write it as IPv4');
    }
  });
});
