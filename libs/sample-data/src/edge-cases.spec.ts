import { describe, expect, it } from '@jest/globals';
import {
  BIOMARKER_TYPES,
  GENDERS,
  INFERRED_FAILURE_TYPES,
  INTERPRETATIONS,
  LOW_LEVEL_STATUSES,
  METADATA_STATUSES,
  ORDER_ORIGINS,
  RELATIONSHIPS,
  TRANSACTION_STATUSES,
  warningsOf,
} from '@caregate/domain';
import type { LabOrderResult } from '@caregate/domain';
import { validateImportEnvelope } from '@caregate/domain/validate';
import { sampleTeamId } from './sample-envelopes.ts';
import { edgeCaseEnvelopes, edgeCases } from './edge-cases.ts';
import type { EdgeCase } from './edge-cases.ts';

const envelopes = edgeCaseEnvelopes(sampleTeamId);

function resultOf(one: EdgeCase): LabOrderResult {
  for (const envelope of envelopes) {
    if (envelope.kind === 'lab_result' && envelope.order_id === one.orderId) return envelope.result;
  }
  throw new Error(`no result for ${one.about}`);
}

describe('the edge cases', () => {
  it.each(envelopes.map((envelope, index) => ({ envelope, name: `${index} ${envelope.kind}` })))(
    'is importable: $name',
    ({ envelope }) => {
      const verdict = validateImportEnvelope(JSON.parse(JSON.stringify(envelope)));
      expect(verdict.ok ? [] : verdict.issues).toEqual([]);
    },
  );

  it('has each case under its name, and each user first', () => {
    const users = new Map<string, string>();
    for (const envelope of envelopes) {
      if (envelope.kind === 'user') users.set(envelope.user.user_id, envelope.user.client_user_id);
      else {
        const { user_id: userId } = envelope.kind === 'order' ? envelope.order : envelope;
        expect(users.has(userId)).toBe(true);
      }
    }
    for (const one of Object.values<EdgeCase>(edgeCases)) {
      expect(users.get(one.userId)).toBe(one.clientUserId);
      if (one.orderId !== undefined) resultOf(one);
    }
    expect(new Set(users.values()).size).toBe(users.size);
  });

  it('has each known failure and status', () => {
    const { missing_results } = resultOf(edgeCases.missingResults);
    expect(missing_results?.map((one) => one.inferred_failure_type).sort()).toEqual(
      Object.values<string>(INFERRED_FAILURE_TYPES).sort(),
    );
    const { order_transaction } = resultOf(edgeCases.everyStatus);
    expect(order_transaction?.orders.map((order) => order.low_level_status).sort()).toEqual(
      Object.values<string>(LOW_LEVEL_STATUSES).sort(),
    );
  });

  it('has a value nobody knows wherever an open enum is', () => {
    const { metadata, results, missing_results, order_transaction } = resultOf(
      edgeCases.unknownValues,
    );
    const insurance = envelopes.find(
      (one) => one.kind === 'insurance' && one.user_id === edgeCases.unknownValues.userId,
    );
    const found: [object, unknown][] = [
      [METADATA_STATUSES, metadata.status],
      [INTERPRETATIONS, metadata.interpretation],
      [BIOMARKER_TYPES, results[0]?.type],
      [INTERPRETATIONS, results[0]?.interpretation],
      [INFERRED_FAILURE_TYPES, missing_results?.[0]?.inferred_failure_type],
      [TRANSACTION_STATUSES, order_transaction?.status],
      [LOW_LEVEL_STATUSES, order_transaction?.orders[0]?.low_level_status],
      [ORDER_ORIGINS, order_transaction?.orders[0]?.origin],
    ];
    if (insurance?.kind === 'insurance') {
      found.push([RELATIONSHIPS, insurance.insurance.relationship]);
      found.push([GENDERS, insurance.insurance.insured.gender]);
    }
    expect(found).toHaveLength(10);
    for (const [known, value] of found) {
      expect(typeof value).toBe('string');
      expect(Object.values(known)).not.toContain(value);
    }
  });

  it('warns of check digits, births and ids, and of nothing else', () => {
    const warned = new Set<string>();
    for (const envelope of envelopes) {
      if (warningsOf(envelope).length === 0) continue;
      warned.add(
        envelope.kind === 'lab_result'
          ? envelope.order_id
          : envelope.kind === 'user'
            ? envelope.user.user_id
            : envelope.kind,
      );
    }
    expect([...warned].sort()).toEqual(
      [
        edgeCases.clientUserIdLikeEmail.userId,
        edgeCases.clientUserIdLikePhone.userId,
        edgeCases.wrongLoincCheckDigit.orderId,
        edgeCases.unusualDob.orderId,
      ].sort(),
    );
  });
});
