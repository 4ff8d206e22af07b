import { Controller, Get, Header, Query, type OnApplicationBootstrap } from '@nestjs/common';
import type {
  AuditConsistencyProof,
  AuditInclusionProof,
  AuditLogQuery,
  AuditLogState,
  AuditProofQuery,
} from '@caregate/domain';
import { validateAuditLogQuery, validateAuditProofQuery } from '@caregate/domain/validate';
import { AuditBrokenError, parseCheckpoint } from '@caregate/audit-log';
import { Operation } from '../../auth/operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../../auth/caller.ts';
import { JSON_MEDIA_TYPE } from '../../common/answer.ts';
import { createInvalidParameterError, requireFound } from '../../problem/problem-error.ts';
import { AuditAlarms } from '../audit-alarms.ts';
import { CheckpointCopy } from '../checkpoint-copy.ts';
import { RecordIds } from '../record-ids.ts';
import { SelfVerification } from '../self-verification.ts';
import { AuditTrail } from '../trail/audit-trail.ts';
import { EventPages } from './event-pages.ts';

const TEXT = 'text/plain; charset=utf-8';

/** State, checkpoints, public key and proofs of the audit log, which all teams share. Hashes reveal no data. */
@Controller('audit')
export class AuditLogController implements OnApplicationBootstrap {
  readonly #openedAt = new Date().toISOString();
  /** The checkpoint at the start, against which each response verifies the log. */
  #startCheckpoint: string | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly pages: EventPages,
    private readonly alarms: AuditAlarms,
    private readonly recordIds: RecordIds,
    private readonly self: SelfVerification,
    private readonly copy: CheckpointCopy,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // If the log can't be written, each response reports that.
    this.#startCheckpoint = await this.trail.getCheckpoint().catch(() => undefined);
  }

  @Get('log')
  @Operation('auditLogState')
  @Header('content-type', JSON_MEDIA_TYPE)
  async getState(): Promise<AuditLogState> {
    const note = await this.trail.getCheckpoint().catch(this.pages.throwProblem);
    const { name, size, root } = parseCheckpoint(note);
    const first = parseCheckpoint((this.#startCheckpoint ??= note));
    const at = new Date().toISOString();
    const { last } = this.self;
    return {
      log_id: name.slice(name.lastIndexOf('/') + 1),
      verifier_key: await this.trail.getPublicKey(),
      accepts_records: this.trail.isOpen(),
      opened_at: this.#openedAt,
      checkpoint: { size, root: root.toString('base64'), note, at },
      verified: { at, from: first.size, to: size, consistent: await this.#isExtended(first) },
      verified_whole:
        last === undefined ? null : { at: last.at.toISOString(), intact: last.isIntact },
      checkpoint_copy_failing: this.copy.isFailing,
    };
  }

  @Get('checkpoint')
  @Operation('auditCheckpoint')
  @Header('content-type', TEXT)
  async getCheckpoint(
    @Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery,
  ): Promise<string> {
    return await this.trail.getCheckpoint(log).catch(this.pages.throwProblem);
  }

  @Get('key')
  @Operation('auditKey')
  @Header('content-type', TEXT)
  async getKey(@Query({ schema: validateAuditLogQuery }) { log }: AuditLogQuery): Promise<string> {
    return `${await this.trail.getPublicKey(log).catch(this.pages.throwProblem)}\n`;
  }

  /**
   * Proves that `record` or `seq` is in the log (optionally at `size`), or that the log has only grown since `from`
   * (optionally until `to`).
   */
  @Get('proof')
  @Operation('auditProof')
  @Header('content-type', JSON_MEDIA_TYPE)
  async getProof(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditProofQuery }) query: AuditProofQuery,
  ): Promise<AuditInclusionProof | AuditConsistencyProof> {
    const { log, record, seq, size, from, to } = query;
    const isMissing = (...all: readonly unknown[]): boolean =>
      all.every((one) => one === undefined);
    if (record !== undefined && isMissing(log, seq, from, to)) {
      return await this.#prove({ ...(await this.#findRecord(teamId, record)), size });
    }
    if (seq !== undefined && isMissing(record, from, to)) {
      return await this.#prove({ log, seq, size });
    }
    if (from === undefined || !isMissing(record, seq, size)) {
      const reason =
        'either record or seq (optionally with size) or from (optionally with to) is required';
      throw createInvalidParameterError({ parameter: 'seq', reason });
    }
    const proof = await this.trail.proveConsistency({ log, from, to }).catch(this.#throwProblem);
    const { logId, hashes, checkpoint } = proof;
    return { log_id: logId, from, to: proof.size, proof: [...hashes], checkpoint };
  }

  async #findRecord(team: string, id: string): Promise<{ log: string; seq: number }> {
    const place = requireFound(this.recordIds.decrypt(id));
    const filter = { team, records: [place] };
    const page = await this.trail
      .readPage({ filter, limit: 1, mostPatients: Infinity })
      .catch(this.#throwProblem);
    const { logId, seq } = requireFound(page.events[0]);
    return { log: logId, seq };
  }

  async #prove(place: Parameters<AuditTrail['proveInclusion']>[0]): Promise<AuditInclusionProof> {
    const proof = await this.trail.proveInclusion(place).catch(this.#throwProblem);
    const { logId, hashes, size, leafHash, checkpoint } = proof;
    return {
      ...{ log_id: logId, seq: place.seq, size, leaf_hash: leafHash },
      ...{ proof: [...hashes], checkpoint },
    };
  }

  readonly #throwProblem = (error: unknown): never => {
    if (error instanceof RangeError) {
      const reason = 'is outside the current log';
      throw createInvalidParameterError(
        { parameter: 'seq', reason },
        { parameter: 'size', reason },
      );
    }
    return this.pages.throwProblem(error);
  };

  async #isExtended({ size, root }: ReturnType<typeof parseCheckpoint>): Promise<boolean> {
    try {
      await this.trail.requireExtends({ size, root, what: 'the checkpoint of the start' });
      return true;
    } catch (error) {
      if (!(error instanceof AuditBrokenError)) {
        return this.pages.throwProblem(error);
      }
      this.alarms.raise('proof-failed');
      return false;
    }
  }
}
