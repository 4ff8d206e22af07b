import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { packSortedUuids } from '@caregate/audit-log';
import { canonicalize } from '@caregate/audit-log/testing';
import { parseRecord, type AuditEntry } from './audit-record.ts';
import { auditEntry, formatRecord } from './records.testing.ts';

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
  team_id: maybeText,
  actor_type: fc.constantFrom('key', 'staff', 'system', 'anonymous'),
  actor_id: maybeText,
  role: maybeText,
  key_id: maybeText,
  session_id: maybeText,
  operation: someText,
  data_category: maybeText,
  decision: fc.constantFrom('allowed', 'denied'),
  reason_code: maybeText,
  http_status: maybeNumber,
  purpose_of_use: maybeText,
  break_glass_id: maybeText,
  order_id: maybeText,
  record_count: maybeNumber,
  request_id: maybeText,
  client_ip: maybeText,
  device_id: maybeText,
  policy_version: maybeText,
  patients: fc.array(fc.oneof(fc.uuid(), someText), { maxLength: 5 }),
  details: fc.dictionary(
    someText.filter((name) => !/^\d+$/u.test(name)),
    fc.oneof(someText, fc.integer()),
  ),
});

/** Formats a record by the rules of RFC 8785, independently of the code under test. */
function canonicalBody({ patients = [], details = {}, ...fields }: AuditEntry): string | undefined {
  return canonicalize({
    ...fields,
    patients: packSortedUuids(patients) ?? [...new Set(patients)].sort(),
    details,
    recorded_at_us: origin.atMs * 1000,
    server_id: origin.serverId,
  });
}

describe('the text of a record', () => {
  it('is the canonical JSON of its fields', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const text = formatRecord(entry, origin);
        expect(text).toBe(canonicalBody(entry));
      }),
      { numRuns: 1000 },
    );
  });

  it('has no NUL, no lone surrogate and no field that JSON lacks, whatever the caller hands over', () => {
    const wrong = {
      actor_id: '\ud800!\0',
      http_status: Number.NaN,
      role: undefined,
      details: { '\udc00': Infinity },
    };
    const text = formatRecord({ ...auditEntry(), ...wrong } as unknown as AuditEntry);
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
        const text = formatRecord(auditEntry({ patients }));
        expect(parseRecord(text, place).patients).toEqual([...new Set(patients)].sort());
      }),
    );
  });
});
