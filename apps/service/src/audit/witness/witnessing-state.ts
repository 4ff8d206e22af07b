import type { AuditCheckpointState, AuditWitnessingState } from '@caregate/domain';
import type { VerifierKey } from '@caregate/audit-log';
import type { Witnessing } from './witnessing.ts';

export function checkpointState(
  note: string,
  keys: Pick<VerifierKey, 'open'>,
  at: string | null,
): AuditCheckpointState {
  const { size, root } = keys.open(note);
  return { size, root: root.toString('base64'), note, at };
}

/** Null without a policy. @param size records of the log now */
export function witnessingState(
  witnessing: Witnessing,
  keys: Pick<VerifierKey, 'open'>,
  size: number,
): AuditWitnessingState | null {
  const { policyState, secondsSinceQuorum } = witnessing;
  if (policyState === undefined) {
    return null;
  }
  const { policy, conflicts } = policyState;
  const text = witnessing.witnessed();
  const state = text === undefined ? undefined : policy.stateOf(text);
  const witnesses = policy.witnesses.map(({ name }) => {
    const seconds = state?.cosignedAt.get(name);
    return {
      name,
      cosigned_at: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
      conflict: conflicts.has(name),
    };
  });
  const times = witnesses.flatMap(({ cosigned_at: at }) => (at === null ? [] : [at])).toSorted();
  const checkpoint = text === undefined ? null : checkpointState(text, keys, times[0] ?? null);
  return {
    quorum_met: state?.isMet === true,
    cosignatures: times.length,
    seconds_since_quorum: Math.round(secondsSinceQuorum * 10) / 10,
    lag: size - (checkpoint?.size ?? 0),
    checkpoint,
    witnesses,
  };
}
