import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { auditBody } from './body.ts';
import { packUuids, unpackUuids } from './packed-uuids.ts';
import { parseBody } from './record-body.ts';

const place = { logId: '0a1b2c3d4e5f', seq: 7, recordedAtUs: 1, serverId: 'a.example.org' };

describe('packed UUIDs', () => {
  it('are the same UUIDs when they are unpacked', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid()), (uuids) => {
        expect(unpackUuids(packUuids(uuids) as string)).toEqual(uuids);
      }),
    );
  });

  it('are not made of anything else', () => {
    expect(packUuids(['not-a-uuid'])).toBeUndefined();
    expect(packUuids(['3FA85F64-5717-4562-B3FC-2C963F66AFA6'])).toBeUndefined();
  });

  it.each(['A', 'AAAA', `${'A'.repeat(22)}=`, '!'.repeat(22)])('are not read from %s', (text) => {
    expect(() => unpackUuids(text)).toThrow(RangeError);
  });

  it('keep the patients of a record, whatever their ids are', () => {
    const id = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(id), (patients) => {
        const { body } = auditBody(auditEntry({ patients }), place);
        expect(parseBody(body).patients).toEqual([...new Set(patients)].sort());
      }),
    );
  });

  it('make a list page of 322 people a record of at most 12 KB', () => {
    const patients = fc.sample(fc.uuid(), { numRuns: 322, seed: 1 });
    const { body } = auditBody(auditEntry({ patients, recordCount: 322 }), place);
    expect(Buffer.byteLength(body)).toBeLessThan(12 * 1024);
  });
});
