import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { LOW_LEVEL_STATUSES, ORDER_STATUSES } from '@caregate/domain';
import type { Order } from '@caregate/domain';
import { findLatestWithResults, readOrderState, findSharedIds } from './order-facts.ts';

const id = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
const order = (fields: Partial<Order>): Order => ({ id, team_id: 't', user_id: 'u', ...fields });
const after = (status: string): Partial<Order> => ({ last_event: { status } });
const placed = (low: string): Partial<Order> => ({
  order_transaction: {
    id: 'transaction',
    status: 'active',
    orders: [{ id: id.toUpperCase(), created_at: '', updated_at: '', low_level_status: low }],
  },
});

describe('the state of an order', () => {
  it.each([
    ['final', after('completed.walk_in_test.completed')],
    ['final', { status: 'completed' }],
    ['final', placed('completed')],
    ['corrected', after('completed.walk_in_test.corrected')],
    ['partial', after('sample_with_lab.testkit.partial_results')],
    ['awaited', after('received.walk_in_test.ordered')],
    ['awaited', { status: 'sample_with_lab' }],
    ['cancelled', after('cancelled.testkit.cancelled')],
    ['cancelled', after('cancelled.testkit.do_not_process')],
    ['cancelled', { status: 'cancelled', ...after('x.y.appointment_cancelled') }],
    ['failed', after('failed.testkit.lost')],
    ['none', {}],
  ] as const)('is %s of %j', (kind, fields) => {
    expect(readOrderState(order(fields))).toEqual({ kind });
  });

  it.each([
    ['sent_by_balloon', after('completed.walk_in_test.sent_by_balloon')],
    ['sent_by_balloon', { status: 'completed', ...placed('sent_by_balloon') }],
    ['vanished', { status: 'vanished', ...after('completed.walk_in_test.completed') }],
  ] as const)('is unknown, as the word came: %s of %j', (word, fields) => {
    expect(readOrderState(order(fields))).toEqual({ kind: 'unknown', word });
  });

  it('is unknown for any word that is not in the interface', () => {
    const known: readonly string[] = [...LOW_LEVEL_STATUSES, ...ORDER_STATUSES, 'partial'];
    const words = fc.string({ minLength: 1 }).filter((one) => {
      const last = one.split('.').at(-1) ?? '';
      return last !== '' && !known.includes(last);
    });
    fc.assert(
      fc.property(words, fc.constantFrom(...ORDER_STATUSES, undefined), (status, short) => {
        const state = readOrderState(order({ ...after(status), status: short ?? null }));
        expect(state.kind).toBe('unknown');
      }),
    );
  });
});

describe('the newest order with results', () => {
  const awaited = order({ id: 'awaited', ...after('received.walk_in_test.ordered') });
  const cancelled = order({ id: 'cancelled', status: 'cancelled' });
  const partial = order({ id: 'partial', ...after('sample_with_lab.x.partial_results') });
  const final = order({ id: 'final', status: 'completed' });
  const read = order({ id: 'read', interpretation: 'normal' });

  it('is the first with a final or partial report', () => {
    expect(findLatestWithResults([awaited, cancelled, partial, final])).toBe(partial);
    expect(findLatestWithResults([awaited, read, final])).toBe(read);
  });

  it('is undefined if all are awaited, cancelled or unknown', () => {
    const unknown = order({ id: 'unknown', ...after('x.y.sent_by_balloon') });
    expect(findLatestWithResults([awaited, cancelled, unknown])).toBeUndefined();
  });
});

describe('orders of the same ID', () => {
  it('are found in any case', () => {
    expect([...findSharedIds([{ id: 'A' }, { id: 'b' }, { id: 'a' }])]).toEqual(['a']);
    expect(findSharedIds([{ id: 'a' }, { id: 'b' }]).size).toBe(0);
  });
});
