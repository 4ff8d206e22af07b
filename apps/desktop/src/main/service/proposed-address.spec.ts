import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from '@caregate/seeded';
import { startDns, record } from './dns.testing.ts';
import type { DnsServer } from './dns.testing.ts';
import { domainsOf, proposalFor, proposedAddress, resolveSrv } from './proposed-address.ts';

let server: DnsServer | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

describe('the address that a network proposes', () => {
  it('is the nearest domain’s first service, by its DNS', async () => {
    const dns = await startDns('_caregate._tcp.clinic.example', [
      record('second.clinic.example', 443, 20),
      record('small.clinic.example', 443, 10, 1),
      record('caregate.clinic.example', 8443, 10, 5),
    ]);
    server = dns;
    const found = await proposedAddress({
      domains: ['desks.clinic.example', 'clinic.example'],
      resolveSrv: (name) => resolveSrv(name, [dns.address]),
    });
    expect(found).toBe('https://caregate.clinic.example:8443');
    expect(dns.asked).toEqual([
      '_caregate._tcp.desks.clinic.example',
      '_caregate._tcp.clinic.example',
    ]);
  });

  it('is none where DNS says so, or nothing', async () => {
    const dns = await startDns('_caregate._tcp.clinic.example', [record('')]);
    server = dns;
    const by = (domain: string): Promise<string | undefined> =>
      proposedAddress({
        domains: [domain],
        resolveSrv: (name) => resolveSrv(name, [dns.address]),
      });
    expect(await by('clinic.example')).toBeUndefined();
    expect(await by('other.example')).toBeUndefined();
  });

  it('isn’t asked for where an address is known', async () => {
    const asked = jest.fn(() => ({
      domains: ['clinic.example'],
      resolveSrv: () => Promise.resolve([record('other.example')]),
    }));
    expect(await proposalFor('https://caregate.clinic.example', asked)).toBeUndefined();
    expect(asked).not.toHaveBeenCalled();
    expect(await proposalFor('', asked)).toBe('https://other.example');
  });

  it('is https to a host, whatever a network answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.integer({ min: 0, max: 65_535 }), async (name, port) => {
        const found = await proposedAddress({
          domains: ['clinic.example'],
          resolveSrv: () => Promise.resolve([record(name, port)]),
        });
        if (found === undefined) return;
        const url = new URL(found);
        expect([url.protocol, url.username, url.search, url.hash]).toEqual(['https:', '', '', '']);
        expect(url.pathname).toBe('/');
      }),
    );
  });
});

describe('the domains of a computer', () => {
  it('come from its name, the Windows sign-in and the resolver, each once', () => {
    expect(
      domainsOf({
        hostname: 'desk7.desks.clinic.example',
        env: { USERDNSDOMAIN: 'CLINIC.EXAMPLE' },
        resolvConf:
          'nameserver 10.0.0.1\nsearch clinic.example lan other.example.\n# search no.example\n',
      }),
    ).toEqual(['desks.clinic.example', 'clinic.example', 'other.example']);
    expect(domainsOf({ hostname: 'desk7', env: {}, resolvConf: '' })).toEqual([]);
  });
});
