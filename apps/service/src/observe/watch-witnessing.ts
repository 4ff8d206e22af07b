import type { Witnessing } from '../audit/witness/witnessing.ts';
import type { Metrics } from './metrics.ts';

/** Metrics of witnesses and of the copy of checkpoints, where there are any. */
export function watchWitnessing(metrics: Metrics, witnessing: Witnessing): void {
  const { copy, hasWitnesses } = witnessing;
  if (hasWitnesses) {
    metrics.gauge(
      'caregate_audit_witnessed_size',
      'Records of the newest checkpoint of the audit log that met the witness policy',
      () => witnessing.witnessedSize,
    );
    metrics.gauge(
      'caregate_audit_witness_quorum_age_seconds',
      'Time since the newest checkpoint of the audit log met the witness policy',
      () => witnessing.secondsSinceQuorum,
    );
  }
  if (copy !== undefined) {
    metrics.gauge(
      'caregate_audit_checkpoint_copy_failing',
      'Whether the last copy of a checkpoint of the audit log failed (1) or not (0)',
      () => Number(copy.isFailing),
    );
  }
}
