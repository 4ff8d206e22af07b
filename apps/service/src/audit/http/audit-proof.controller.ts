import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { orNotFound } from '../../http/parameters.ts';
import { AuditUnavailableError } from '../audit-entry.ts';
import { RecordIds } from '../record-ids.ts';
import { MissingNodeError } from '../log/stored-tree.ts';
import { AuditAlarms } from './audit-alarms.ts';
import {
  logQueryOf,
  proofQueryOf,
  type LogProofParameters,
  type ProofParameters,
} from './audit-parameters.ts';
import { AuditTrail, ProofFailedError } from './audit-trail.ts';
import { noSuchLog } from './no-such-log.ts';

const TEXT = 'text/plain; charset=utf-8';

/** What it takes to prove the log from outside. Over the whole log, all teams: hashes tell nothing about anyone. */
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
  async checkpoint(@Req() request: FastifyRequest): Promise<string> {
    const log = logQueryOf(request);
    return await this.#trail.checkpoint(log).catch((error: unknown) => this.#asProblem(error));
  }

  @Get('key')
  @Operation('auditKey')
  @Header('content-type', TEXT)
  async key(@Req() request: FastifyRequest): Promise<string> {
    const log = logQueryOf(request);
    return `${await this.#trail.verifierKey(log).catch(noSuchLog)}\n`;
  }

  @Get('proof')
  @Operation('auditProof')
  @Header('content-type', JSON_MEDIA_TYPE)
  async proof(@Req() request: FastifyRequest): Promise<string> {
    const asked = await this.#placeOf(proofQueryOf(request), principalOf(request).teamId);
    const proof = await this.#prove(asked).catch((error: unknown) => this.#asProblem(error));
    return JSON.stringify(proof);
  }

  /** Of a record that is named by its id, where it is: of the own team alone, or its position would tell of another's. */
  async #placeOf(asked: ProofParameters, teamId: string): Promise<LogProofParameters> {
    if (asked.kind !== 'record') {
      return asked;
    }
    const record = this.#recordIds.receiptOf(asked.record);
    const named = { filter: { teamId, record }, from: undefined, limit: 2 };
    const [event] = record === undefined ? [] : (await this.#trail.page(named)).events;
    const { logId: log, seq } = orNotFound(event);
    return { kind: 'inclusion', log, seq, size: asked.size };
  }

  async #prove(asked: LogProofParameters): Promise<object> {
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
      const reason = 'is not within the log as it is now';
      throw invalidParameters({ parameter: 'seq', reason }, { parameter: 'size', reason });
    }
    if (error instanceof AuditUnavailableError) {
      const headers = { 'retry-after': String(error.retryAfterSeconds) };
      throw new ProblemError({ type: 'unavailable', headers }, { cause: error });
    }
    if (error instanceof ProofFailedError || error instanceof MissingNodeError) {
      this.#alarms.raise('proof-failed');
    }
    return noSuchLog(error);
  }
}
