import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { packSortedUuids } from '@caregate/audit-log';
import type { AuditEntry } from './audit-entry.ts';
import { canonicalize } from '@caregate/audit-log/testing';
import { parseRecord } from './record-body.ts';
import { auditEntry, userIds, textOf } from './records.testing.ts';

const origin = { atMs: 1_790_000_000_000, serverId: 'a' };
const place = { logId: '0a1b2c3d4e5f', seq: 7 };

const someText = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .map((text) => text.replaceAll('\0', ' '));
const maybeText = fc.option(someText);
const maybeNumber = fc.option(
  fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
);
const anyEntry: fc.Arbitrary<AuditEntry> = fc.record({
  teamId: maybeText,
  actorType: fc.constantFrom('key', 'person', 'system', 'anonymous'),
  actorId: maybeText,
  role: maybeText,
  keyId: maybeText,
  sessionId: maybeText,
  operation: someText,
  dataCategory: maybeText,
  decision: fc.constantFrom('allowed', 'denied'),
  reasonCode: maybeText,
  httpStatus: maybeNumber,
  purposeOfUse: maybeText,
  breakGlassId: maybeText,
  orderId: maybeText,
  recordCount: maybeNumber,
  requestId: maybeText,
  clientIp: maybeText,
  deviceId: maybeText,
  policyVersion: maybeText,
  patients: fc.array(fc.oneof(fc.uuid(), someText), { maxLength: 5 }),
  details: fc.dictionary(someText, fc.oneof(someText, fc.integer())),
});

/** The names of the fields, by the rule that holds for all of them. */
function canonicalBody({ patients, details = {}, ...fields }: AuditEntry): string | undefined {
  const named = Object.entries(fields).map(([name, value]) => [snake(name), value] as const);
  return canonicalize({
    ...Object.fromEntries(named),
    patients: packSortedUuids(patients) ?? [...new Set(patients)].sort(),
    details,
    recorded_at_us: origin.atMs * 1000,
    server_id: origin.serverId,
  });
}

function snake(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

describe('the text of a record', () => {
  it('is the canonical JSON of its fields', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const text = textOf(entry, origin);
        expect(text).toBe(canonicalBody(entry));
      }),
      { numRuns: 1000 },
    );
  });

  it('lists each patient once, in order', () => {
    const patients = [userIds[1], userIds[0], userIds[1]] as string[];
    const text = textOf(auditEntry({ patients }));
    expect(parseRecord(text, place).patients).toEqual([userIds[1], userIds[0]]);
  });

  it('has no NUL, no lone surrogate and no field that JSON lacks, whatever the caller hands over', () => {
    const wrong = {
      actorId: '\ud800!\0',
      httpStatus: Number.NaN,
      role: undefined,
      details: { '\udc00': Infinity },
    };
    const text = textOf({ ...auditEntry(), ...wrong } as unknown as AuditEntry);
    expect(parseRecord(text, place)).toMatchObject({
      actor_id: '\ufffd!\ufffd',
      http_status: null,
      role: null,
      details: { '\ufffd': null },
    });
  });

  it('keeps the patients, whatever their ids are', () => {
    const id = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(id), (patients) => {
        const text = textOf(auditEntry({ patients }));
        expect(parseRecord(text, place).patients).toEqual([...new Set(patients)].sort());
      }),
    );
  });

  it('has at most 12 KB for a list page of 322 people', () => {
    const patients = fc.sample(fc.uuid(), { numRuns: 322, seed: 1 });
    const text = textOf(auditEntry({ patients, recordCount: 322 }));
    expect(Buffer.byteLength(text)).toBeLessThan(12 * 1024);
  });
});
