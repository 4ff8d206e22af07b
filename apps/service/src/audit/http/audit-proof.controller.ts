import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import type {
  AuditConsistencyProof,
  AuditInclusionProof,
  AuditLogQuery,
  AuditProofQuery,
} from '@caregate/domain';
import { validateAuditLogQuery, validateAuditProofQuery } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-types.ts';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import { RecordIds } from '../record-ids.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { AuditTrail, noSuchLog, trailProblem } from '../trail/audit-trail.ts';

const TEXT = 'text/plain; charset=utf-8';

/** Checkpoints, keys and proofs of the log of all teams: hashes reveal no data. */
@Controller('audit')
export class AuditProofController {
  readonly #trail: AuditTrail;
  readonly #alarms: AuditAlarms;
  readonly #recordIds: RecordIds;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(AuditAlarms) alarms: AuditAlarms,
    @Inject(RecordIds) recordIds: RecordIds,
  ) {
    this.#trail = trail;
    this.#alarms = alarms;
    this.#recordIds = recordIds;
  }

  @Get('checkpoint')
  @Operation('auditCheckpoint')
  @Header('content-type', TEXT)
  async checkpoint(
    @Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery,
  ): Promise<string> {
    return await this.#trail.checkpoint(log).catch((error: unknown) => this.#asProblem(error));
  }

  @Get('key')
  @Operation('auditKey')
  @Header('content-type', TEXT)
  async key(@Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery): Promise<string> {
    return `${await this.#trail.publicKey(log).catch(noSuchLog)}\n`;
  }

  @Get('proof')
  @Operation('auditProof')
  @Header('content-type', JSON_MEDIA_TYPE)
  async proof(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditProofQuery }) query: AuditProofQuery,
  ): Promise<AuditInclusionProof | AuditConsistencyProof> {
    const proof = await this.#placeOf(proofRequestOf(query), teamId);
    return await this.#prove(proof).catch((error: unknown) => this.#asProblem(error));
  }

  /** Only for records of the caller's team. */
  async #placeOf(request: ProofRequest, teamId: string): Promise<LogProof> {
    if (request.kind !== 'record') {
      return request;
    }
    const record = orNotFound(this.#recordIds.receiptOf(request.record));
    const { events } = await this.#trail
      .page({ filter: { team: teamId, records: [record] }, from: undefined, limit: 1 })
      .catch((error: unknown) => this.#asProblem(error));
    const [event] = events;
    const { logId: log, seq } = orNotFound(event);
    return { kind: 'inclusion', log, seq, size: request.size };
  }

  async #prove(request: LogProof): Promise<AuditInclusionProof | AuditConsistencyProof> {
    const base64 = (hashes: readonly Buffer[]): string[] =>
      hashes.map((hash) => hash.toString('base64'));
    if (request.kind === 'inclusion') {
      const { logId, hashes, size, leafHash, checkpoint } = await this.#trail.inclusion(request);
      return {
        ...{ log_id: logId, seq: request.seq, size, leaf_hash: leafHash.toString('base64') },
        ...{ proof: base64(hashes), checkpoint },
      };
    }
    const { logId, hashes, size, checkpoint } = await this.#trail.consistency(request);
    return { log_id: logId, from: request.from, to: size, proof: base64(hashes), checkpoint };
  }

  #asProblem(error: unknown): never {
    if (error instanceof RangeError) {
      const reason = 'is outside the current log';
      throw invalidParameters({ parameter: 'seq', reason }, { parameter: 'size', reason });
    }
    return trailProblem(error, () => {
      this.#alarms.raise('proof-failed');
    });
  }
}

type ProofRequest =
  | { readonly kind: 'record'; readonly record: string; readonly size: number | undefined }
  | LogProof;

type LogProof = { readonly log: string | undefined } & (
  | { readonly kind: 'inclusion'; readonly seq: number; readonly size: number | undefined }
  | { readonly kind: 'consistency'; readonly from: number; readonly to: number | undefined }
);

/** `record` or `seq`, optionally with `size`; or `from`, optionally with `to`. @throws ProblemError 422 */
function proofRequestOf({ log, record, seq, size, from, to }: AuditProofQuery): ProofRequest {
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
