import { describe, expect, it } from '@jest/globals';
import { listWarnings } from '@caregate/domain';
import { sampleTeamId } from './sample-envelopes.ts';
import { edgeCaseEnvelopes, edgeCases } from './edge-cases.ts';

const envelopes = edgeCaseEnvelopes(sampleTeamId);

describe('the edge cases', () => {
  it('warns of check digits, births and ids, and of nothing else', () => {
    const warned = new Set<string>();
    for (const envelope of envelopes) {
      if (listWarnings(envelope).length === 0) continue;
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
