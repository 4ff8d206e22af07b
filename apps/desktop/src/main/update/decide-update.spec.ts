import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { decideUpdate } from './decide-update.ts';
import type { DeskState } from './decide-update.ts';
import type { UpdateManifest } from './update-manifest.ts';

const file = {
  packaging: 'deb',
  arch: 'x64',
  name: 'a.deb',
  size: 1,
  sha256: '0'.repeat(64),
} as const;
const manifest: UpdateManifest = {
  ...{ product: 'caregate-desktop', channel: 'stable', version: '1.2.3', staged: 100 },
  ...{ issued: 1000, expires: 2000 },
  files: [file],
};
const desk: DeskState = {
  ...{ now: 1500, installed: '1.2.2', packaging: 'deb', arch: 'x64' },
  channel: 'stable',
  ...{ newestSeen: 0, deskId: 'desk', isInUse: false },
};

const part = fc.nat(3);
const version = fc.tuple(part, part, part).map((parts) => parts.join('.'));
const numeric = (text: string): number => Number(text.split('.').join(''));

const manifests: fc.Arbitrary<UpdateManifest> = fc
  .record({ version, issued: fc.nat(20), lasts: fc.nat(20), staged: fc.nat(100) })
  .map(({ lasts, ...rest }) => ({ ...manifest, ...rest, expires: rest.issued + lasts }));
const desks: fc.Arbitrary<DeskState> = fc
  .record(
    {
      ...{ now: fc.nat(40), installed: version, newestSeen: fc.nat(20), hold: version },
      ...{ deskId: fc.uuid(), isInUse: fc.boolean() },
    },
    { requiredKeys: ['now', 'installed', 'newestSeen', 'deskId', 'isInUse'] },
  )
  .map((state) => ({ ...desk, ...state }));

describe('an update', () => {
  it('is installed where all allows it', () => {
    expect(decideUpdate(manifest, desk)).toEqual({ act: 'install', file });
  });

  it('never goes back, past a hold, past its end, or behind what was seen; never begins while a desk is in use', () => {
    fc.assert(
      fc.property(manifests, desks, (offered, at) => {
        const decision = decideUpdate(offered, at);
        if (decision.act === 'nothing') return;
        expect(numeric(offered.version)).toBeGreaterThan(numeric(at.installed));
        if (at.hold !== undefined) {
          expect(numeric(offered.version)).toBeLessThanOrEqual(numeric(at.hold));
        }
        expect(at.now).toBeLessThanOrEqual(offered.expires);
        expect(offered.issued).toBeGreaterThanOrEqual(at.newestSeen);
        expect(decision.act === 'install').toBe(!at.isInUse);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused for each reason by its name', () => {
    const why = (offered: Partial<UpdateManifest>, at: Partial<DeskState>): unknown =>
      decideUpdate({ ...manifest, ...offered }, { ...desk, ...at });
    const nothing = (reason: string): object => ({ act: 'nothing', why: reason });
    expect(why({}, { newestSeen: 1001 })).toEqual(nothing('replayed'));
    expect(why({}, { now: 2001 })).toEqual(nothing('expired'));
    expect(why({}, { channel: 'early' })).toEqual(nothing('otherChannel'));
    expect(why({}, { installed: '1.2.3' })).toEqual(nothing('upToDate'));
    expect(why({ version: '1.2.10' }, { installed: '1.10.2' })).toEqual(nothing('older'));
    expect(why({}, { hold: '1.2.2' })).toEqual(nothing('held'));
    expect(why({}, { hold: '1.2' })).toEqual(nothing('held'));
    expect(why({ staged: 0 }, {})).toEqual(nothing('staged'));
    expect(why({}, { packaging: 'msi' })).toEqual(nothing('noFile'));
    expect(why({}, { installed: '0.1.0-development' })).toEqual(nothing('older'));
  });

  it('reaches about the part of the desks that it is staged for, and keeps whom it reached', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => `desk ${String(at)}`);
    const reached = (staged: number, offered = '1.2.3'): Set<string> =>
      new Set(
        ids.filter((deskId) => {
          const state = { ...desk, deskId };
          return decideUpdate({ ...manifest, version: offered, staged }, state).act === 'install';
        }),
      );
    const [ten, half] = [reached(10), reached(50)];
    expect(ten.size).toBeGreaterThan(140);
    expect(ten.size).toBeLessThan(260);
    expect([...ten].filter((id) => !half.has(id))).toEqual([]);
    expect(reached(100).size).toBe(ids.length);
    // Another release begins with others.
    expect([...reached(10, '1.2.4')].some((id) => !ten.has(id))).toBe(true);
  });
});
