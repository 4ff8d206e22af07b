import type { AuditProofQuery } from '@caregate/domain';
import { invalidParameters } from '../../problem/problem-error.ts';

/** A record by its id or by its position in a log, or a size of a log. */
export type ProofAsked =
  | { readonly kind: 'record'; readonly record: string; readonly size: number | undefined }
  | LogProof;

export type LogProof = { readonly log: string | undefined } & (
  | { readonly kind: 'inclusion'; readonly seq: number; readonly size: number | undefined }
  | { readonly kind: 'consistency'; readonly from: number; readonly to: number | undefined }
);

/** `record` or `seq`, optionally with `size`; or `from`, optionally with `to`. @throws ProblemError 422 */
export function proofAsked({ log, record, seq, size, from, to }: AuditProofQuery): ProofAsked {
  if (record !== undefined) {
    if ([log, seq, from, to].every((other) => other === undefined)) {
      return { kind: 'record', record, size };
    }
  } else if (seq !== undefined && from === undefined && to === undefined) {
    return { kind: 'inclusion', log, seq, size };
  } else if (from !== undefined && seq === undefined && size === undefined) {
    return { kind: 'consistency', log, from, to };
  }
  throw invalidParameters({
    parameter: 'seq',
    reason: 'either record or seq (optionally with size) or from (optionally with to) is required',
  });
}
