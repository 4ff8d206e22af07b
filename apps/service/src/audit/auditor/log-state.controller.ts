import {
  Controller,
  Get,
  Header,
  Inject,
  Optional,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AuditLogState } from '@caregate/domain';
import { AuditBrokenError, parseCheckpoint } from '@caregate/audit-log';
import { Operation } from '../../access/operation.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-types.ts';
import { AuditAlarms } from '../http/audit-alarms.ts';
import { SelfVerification } from '../self-verification.ts';
import { AuditTrail, trailProblem } from '../trail/audit-trail.ts';
import { CheckpointCopy } from '../checkpoint-copy/checkpoint-copy.ts';

@Controller('audit/log')
export class LogStateController implements OnApplicationBootstrap {
  readonly #trail: AuditTrail;
  readonly #copy: CheckpointCopy | undefined;
  readonly #alarms: AuditAlarms;
  readonly #self: SelfVerification;
  readonly #openedAt = new Date();
  /** The checkpoint at the start, with which each answer compares the log. */
  #first: string | undefined;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(AuditAlarms) alarms: AuditAlarms,
    @Inject(SelfVerification) self: SelfVerification,
    @Optional() @Inject(CheckpointCopy) copy?: CheckpointCopy,
  ) {
    this.#trail = trail;
    this.#alarms = alarms;
    this.#self = self;
    this.#copy = copy;
  }

  async onApplicationBootstrap(): Promise<void> {
    // Each answer reports a latched log.
    this.#first = await this.#trail.checkpoint().catch(() => undefined);
  }

  @Get()
  @Operation('auditLogState')
  @Header('content-type', JSON_MEDIA_TYPE)
  async state(): Promise<AuditLogState> {
    return await this.#state().catch((error: unknown) =>
      trailProblem(error, () => {
        this.#alarms.raise('proof-failed');
      }),
    );
  }

  async #state(): Promise<AuditLogState> {
    const note = await this.#trail.checkpoint();
    const { name, size: to, root } = parseCheckpoint(note);
    const first = parseCheckpoint((this.#first ??= note));
    const at = new Date().toISOString();
    const { last } = this.#self;
    return {
      log_id: name.slice(name.lastIndexOf('/') + 1),
      verifier_key: await this.#trail.publicKey(),
      accepts_records: this.#trail.isOpen(),
      opened_at: this.#openedAt.toISOString(),
      checkpoint: { size: to, root: root.toString('base64'), note, at },
      verified: { at, from: first.size, to, consistent: await this.#isExtended(first) },
      verified_whole:
        last === undefined ? null : { at: last.at.toISOString(), intact: last.isIntact },
      checkpoint_copy_failing: this.#copy?.isFailing ?? null,
    };
  }

  async #isExtended(earlier: ReturnType<typeof parseCheckpoint>): Promise<boolean> {
    try {
      await this.#trail.requireExtends(earlier, 'the checkpoint of the start');
      return true;
    } catch (error) {
      if (!(error instanceof AuditBrokenError)) {
        throw error;
      }
      this.#alarms.raise('proof-failed');
      return false;
    }
  }
}
