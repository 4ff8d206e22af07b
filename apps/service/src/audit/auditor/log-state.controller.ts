import {
  Controller,
  Get,
  Header,
  Inject,
  Optional,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AuditLogState } from '@caregate/domain';
import { AuditBrokenError, VerifierKey } from '@caregate/audit-log';
import { Operation } from '../../access/operation.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { AuditAlarms } from '../http/audit-alarms.ts';
import { SelfVerification } from '../self-verification.ts';
import { AuditTrail, trailProblem } from '../trail/audit-trail.ts';
import { CheckpointCopy } from '../checkpoint-copy/checkpoint-copy.ts';
import { extensionOf } from '../checkpoint-copy/require-extends.ts';

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
    const key = VerifierKey.parse(await this.#trail.verifierKey());
    const now = await this.#trail.checkpoint();
    const { keys, origin, size: to, root } = key.open(now);
    this.#first ??= now;
    const earlier = this.#first;
    const consistent = await this.#isExtended(earlier);
    if (keys.open(this.#first).size === 0) {
      // Any log extends an empty one.
      this.#first = now;
    }
    const at = new Date().toISOString();
    const { last } = this.#self;
    return {
      log_id: origin.slice(origin.lastIndexOf('/') + 1),
      verifier_key: keys.current.text,
      accepts_records: this.#trail.isOpen(),
      opened_at: this.#openedAt.toISOString(),
      checkpoint: { size: to, root: root.toString('base64'), note: now, at },
      verified: { at, from: keys.open(earlier).size, to, consistent },
      verified_whole:
        last === undefined ? null : { at: last.at.toISOString(), intact: last.isIntact },
      checkpoint_copy_failing: this.#copy?.isFailing ?? null,
    };
  }

  async #isExtended(earlier: string): Promise<boolean> {
    const isExtended = await extensionOf(this.#trail, earlier).then(
      ({ outcome }) => outcome === 'extends',
      (error: unknown) => {
        if (error instanceof AuditBrokenError) {
          return false;
        }
        throw error;
      },
    );
    if (!isExtended) {
      this.#alarms.raise('proof-failed');
    }
    return isExtended;
  }
}
