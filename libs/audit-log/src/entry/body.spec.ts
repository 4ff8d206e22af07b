import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { auditEntry, userIds } from '../testing/audit-entry.testing.ts';
import type { AuditEntry } from './audit-entry.ts';
import canonicalize from 'canonicalize';
import { auditBody, textAroundSeq } from './body.ts';
import { packSortedUuids } from './packed-uuids.ts';
import { parseBody } from './record-body.ts';

const place = { logId: '0a1b2c3d4e5f', seq: 7, recordedAtUs: 1_790_000_000_000_000, serverId: 'a' };

const someText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
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
    version: 2,
    log_id: place.logId,
    seq: place.seq,
    recorded_at_us: place.recordedAtUs,
    server_id: place.serverId,
  });
}

function snake(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

describe('the text of a record', () => {
  it('is the canonical JSON of its fields', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(auditBody(entry, place).body).toBe(canonicalBody(entry));
      }),
      { numRuns: 1000 },
    );
  });

  it('is written around the number of the record, which comes last', () => {
    const { head, tail } = textAroundSeq(auditEntry(), place);
    expect(`${head}${place.seq}${tail}`).toBe(auditBody(auditEntry(), place).body);
  });

  it('lists each patient once, in order', () => {
    const patients = [userIds[1], userIds[0], userIds[1]] as string[];
    const { body } = auditBody(auditEntry({ patients }), place);
    expect(parseBody(body).patients).toEqual([userIds[1], userIds[0]]);
  });

  it('has no lone surrogate and no field that JSON lacks, whatever the caller hands over', () => {
    const wrong = {
      actorId: '\ud800!',
      httpStatus: Number.NaN,
      role: undefined,
      details: { '\udc00': Infinity },
    };
    const { body } = auditBody({ ...auditEntry(), ...wrong } as unknown as AuditEntry, place);
    expect(parseBody(body)).toMatchObject({
      actor_id: '\ufffd!',
      http_status: null,
      role: null,
      details: { '\ufffd': null },
    });
  });
});
