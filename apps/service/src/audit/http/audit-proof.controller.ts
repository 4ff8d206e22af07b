import { Controller, Get, Header, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
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
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { hashesOfTile, parseTilePath } from '@caregate/audit-log';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import { RecordIds } from '../record-ids.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { proofAsked, type LogProof, type ProofAsked } from './proof-asked.ts';
import { Witnessing } from '../witness/witnessing.ts';
import { AuditTrail, noSuchLog, trailProblem } from '../trail/audit-trail.ts';

/** A full tile never changes; it is shown to those alone who may ask. */
const FOREVER = 'private, max-age=31536000, immutable';
const TEXT = 'text/plain; charset=utf-8';

/** Checkpoints, keys and proofs for external verification. For the whole log of all teams: hashes reveal no data. */
@Controller('audit')
export class AuditProofController {
  readonly #trail: AuditTrail;
  readonly #alarms: AuditAlarms;

  readonly #recordIds: RecordIds;
  readonly #witnessing: Witnessing;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(AuditAlarms) alarms: AuditAlarms,
    @Inject(RecordIds) recordIds: RecordIds,
    @Inject(Witnessing) witnessing: Witnessing,
  ) {
    this.#trail = trail;
    this.#alarms = alarms;
    this.#recordIds = recordIds;
    this.#witnessing = witnessing;
  }

  @Get('checkpoint')
  @Operation('auditCheckpoint')
  @Header('content-type', TEXT)
  async checkpoint(
    @Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery,
  ): Promise<string> {
    const note = await this.#trail
      .checkpoint(log)
      .catch((error: unknown) => this.#asProblem(error));
    return this.#witnessing.cosigned(note);
  }

  /** The same beside its tiles, where C2SP tlog-tiles has it. */
  @Get('log/checkpoint')
  @Operation('auditLogCheckpoint')
  @Header('content-type', TEXT)
  async logCheckpoint(
    @Query({ schema: validateAuditLogQuery }) query: AuditLogQuery,
  ): Promise<string> {
    return await this.checkpoint(query);
  }

  /** Hashes of the tree of the current checkpoint; never entries. */
  @Get('log/tile/*')
  @Operation('auditLogTile')
  async tile(
    @Param('*') path: string,
    @Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const place = orNotFound(parseTilePath(`tile/${path}`));
    const tile = await this.#trail
      .tile({ log, ...place })
      .catch((error: unknown) => this.#asProblem(error));
    const bytes = orNotFound(tile);
    reply.header('content-type', 'application/octet-stream');
    if (place.width === hashesOfTile) {
      reply.header('cache-control', FOREVER);
    }
    return bytes;
  }

  @Get('key')
  @Operation('auditKey')
  @Header('content-type', TEXT)
  async key(@Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery): Promise<string> {
    return `${await this.#trail.verifierKey(log).catch(noSuchLog)}\n`;
  }

  @Get('proof')
  @Operation('auditProof')
  @Header('content-type', JSON_MEDIA_TYPE)
  async proof(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditProofQuery }) query: AuditProofQuery,
  ): Promise<AuditInclusionProof | AuditConsistencyProof> {
    const asked = await this.#placeOf(proofAsked(query), teamId);
    return await this.#prove(asked).catch((error: unknown) => this.#asProblem(error));
  }

  /** Position of the record with this id, only for records of the caller's team. */
  async #placeOf(asked: ProofAsked, teamId: string): Promise<LogProof> {
    if (asked.kind !== 'record') {
      return asked;
    }
    const record = orNotFound(this.#recordIds.receiptOf(asked.record));
    const { events } = await this.#trail
      .page({ filter: { team: teamId, records: [record] }, from: undefined, limit: 1 })
      .catch((error: unknown) => this.#asProblem(error));
    const [event] = events;
    const { logId: log, seq } = orNotFound(event);
    return { kind: 'inclusion', log, seq, size: asked.size };
  }

  async #prove(asked: LogProof): Promise<AuditInclusionProof | AuditConsistencyProof> {
    if (asked.kind === 'inclusion') {
      const { logId, hashes, size, leafHash, checkpoint } = await this.#trail.inclusion(asked);
      return {
        log_id: logId,
        seq: asked.seq,
        size,
        leaf_hash: leafHash.toString('base64'),
        proof: hashes.map((hash) => hash.toString('base64')),
        checkpoint,
      };
    }
    const { logId, hashes, size, checkpoint } = await this.#trail.consistency(asked);
    return {
      log_id: logId,
      from: asked.from,
      to: size,
      proof: hashes.map((hash) => hash.toString('base64')),
      checkpoint,
    };
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
