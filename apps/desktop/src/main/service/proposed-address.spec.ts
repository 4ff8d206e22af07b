import type { SrvRecord } from 'node:dns';
import { describe, expect, it, jest } from '@jest/globals';
import fc from '@caregate/seeded';
import { domainsOf, proposalFor, proposedAddress } from './proposed-address.ts';

const record = (name: string, port = 443, priority = 0, weight = 0): SrvRecord => ({
  ...{ name, port, priority, weight },
});

describe('the address that a network proposes', () => {
  it('is the nearest domain’s first service; none where DNS knows none, or names nothing', async () => {
    const asked: string[] = [];
    const found = (...domains: string[]): Promise<string | undefined> =>
      proposedAddress({
        domains,
        resolveSrv: (name) => {
          asked.push(name);
          const records: Record<string, SrvRecord[]> = {
            '_caregate._tcp.clinic.example': [
              record('second.clinic.example', 443, 20),
              record('small.clinic.example', 443, 10, 1),
              record('caregate.clinic.example', 8443, 10, 5),
            ],
            '_caregate._tcp.empty.example': [record('')],
          };
          return records[name] ? Promise.resolve(records[name]) : Promise.reject(new Error());
        },
      });
    const nearest = await found('desks.clinic.example', 'clinic.example');
    expect(nearest).toBe('https://caregate.clinic.example:8443');
    expect(asked).toEqual(
      ['desks', ''].map((at) => `_caregate._tcp.${at}${at && '.'}clinic.example`),
    );
    expect(await found('empty.example', 'other.example')).toBeUndefined();
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
