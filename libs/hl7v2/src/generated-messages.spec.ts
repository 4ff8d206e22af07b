import { describe, expect, it } from '@jest/globals';
import { validateLabOrderResult } from '@caregate/domain/validate';
import fc from '@caregate/seeded';
import { expectedOf } from './expected-report.testing.ts';
import { mergeResult } from './merge-result.ts';
import { messagePlans } from './message-plan.testing.ts';
import { bytesOf } from './message-text.testing.ts';
import { readMessage } from './read-message.ts';

describe('a generated message', () => {
  it('is read field by field as it was meant, and its results are valid', () => {
    const property = fc.property(messagePlans(), (plan) => {
      const read = readMessage(bytesOf(plan));
      if (!read.ok) {
        throw new Error(JSON.stringify(read.refusal));
      }
      const { controlId, orders, patient, sent } = read.report;
      const found = {
        ...{ controlId, patient, sent },
        orders: orders.map((order) => ({
          ...{ placer: order.placer, filler: order.filler, order: order.order },
          result: mergeResult(undefined, order),
        })),
      };
      expect(found).toEqual(expectedOf(plan));
      expect(read.header.enhanced).toBe(plan.isEnhanced);
      found.orders.forEach(({ result }) => {
        expect(validateLabOrderResult(result)).toEqual({ ok: true, value: result });
      });
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
