import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { auditBody } from '../entry/body.ts';
import { HOLD_OPERATIONS } from '../entry/log-operations.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { cutRecordOf, dateOf, logIdAt, operationAt } from './cut-records.ts';

const logId = '0a1b2c3d4e5f';
const place = { logId, seq: 7, recordedAtUs: 1_790_000_000_000_000, serverId: 'a' };

const hostile = fc.constantFrom(
  'log_id',
  '"log_id',
  'x"log_id":"0a1b2c3d4e5f","operation":"resolveUser"',
  '","log_id',
  'operation',
  'details',
  'seq',
  'recorded_at_us',
  logId,
  '}',
  '\\',
);
const someText = fc.oneof(hostile, fc.string({ unit: 'grapheme' }));
const anyDetails = fc.dictionary(someText, fc.oneof(someText, fc.integer()), { maxKeys: 6 });

/** The text of a record, as verification sees it. */
function text(details: Record<string, string | number>, others: string): string {
  const entry = auditEntry({
    operation: HOLD_OPERATIONS.add,
    actorId: others,
    deviceId: others,
    orderId: others,
    patients: [others],
    details,
  });
  return Buffer.from(auditBody(entry, place).body).toString('latin1');
}

describe('where the operation of a record stands', () => {
  it('is found whatever the texts and details of the record are', () => {
    fc.assert(
      fc.property(anyDetails, someText, (details, others) => {
        const body = text(details, others);
        const before = `"log_id":"${logId}",`;
        expect(body.startsWith(before, logIdAt(body))).toBe(true);
        expect(operationAt(body)).toBe(logIdAt(body) + before.length);
        expect(body.startsWith(`"operation":"${HOLD_OPERATIONS.add}"`, operationAt(body))).toBe(
          true,
        );
        expect(dateOf(body)).toBe(place.recordedAtUs / 1000);
      }),
    );
  });

  it('is not where details pretend it to be: a legal hold cannot be hidden by them', () => {
    const body = text({ log_id: logId, operation: 'resolveUser', hold: 'one' }, 'a');
    expect(cutRecordOf(7, body)).toMatchObject({ seq: 7, operation: HOLD_OPERATIONS.add });
  });

  it('is nowhere in a text without it', () => {
    expect(operationAt('{}')).toBe(-1);
    expect(logIdAt('{"details":{}}')).toBe(-1);
    expect(dateOf('{"a":1,"recorded_at_us":null}', 0)).toBeNaN();
  });
});
