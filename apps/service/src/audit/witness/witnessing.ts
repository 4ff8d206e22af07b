import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AuditUnavailableError,
  type Policy,
  type WitnessClient,
  VerifierKey,
} from '@caregate/audit-log';
import type { Logger } from 'pino';
import type { AuditTrail } from '../trail/audit-trail.ts';
import type { CheckpointCopy } from './checkpoint-copy.ts';

type Round = Awaited<ReturnType<WitnessClient['ask']>>;

interface WitnessAlarms {
  /** The policy has not been met for too long. */
  'witness-quorum': { readonly seconds: number };
  /** A witness cosigned a larger tree or another log. */
  'witness-conflict': { readonly witness: string; readonly records?: number };
}

export class WitnessEvents extends EventEmitter<{
  [Name in keyof WitnessAlarms]: [WitnessAlarms[Name]];
}> {}

export interface Witnesses {
  readonly client: WitnessClient;
  readonly policy: Policy;
  readonly store: (note: string) => Promise<void>;
}

interface WitnessingParts {
  readonly trail: Pick<AuditTrail, 'checkpoint' | 'verifierKey'>;
  readonly logger: Logger;
  readonly witnesses: Witnesses | undefined;
  readonly copy: CheckpointCopy | undefined;
  readonly now?: () => number;
}

const EVERY_MS = 5000;
const ALARM_AFTER_MS = 600_000;
const LAST_COPY_WITHIN_MS = 1000;

/** Every few seconds, if the log has grown: copies its checkpoint and has it cosigned. No response waits for either. */
export class Witnessing {
  readonly events = new WitnessEvents();
  readonly #parts: Required<WitnessingParts>;
  readonly #conflicts = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosing = false;
  #metAt: number;
  #isAlarmed = false;
  #witnessedSize = 0;

  constructor(parts: WitnessingParts) {
    this.#parts = { now: () => performance.now(), ...parts };
    this.#metAt = this.#parts.now();
  }

  get hasWitnesses(): boolean {
    return this.#parts.witnesses !== undefined;
  }

  get policyState():
    | { readonly policy: Policy; readonly conflicts: ReadonlySet<string> }
    | undefined {
    const { witnesses } = this.#parts;
    return witnesses && { policy: witnesses.policy, conflicts: this.#conflicts };
  }

  get copy(): Pick<CheckpointCopy, 'isFailing'> | undefined {
    return this.#parts.copy;
  }

  get witnessedSize(): number {
    return this.#witnessedSize;
  }

  get secondsSinceQuorum(): number {
    return (this.#parts.now() - this.#metAt) / 1000;
  }

  cosigned(note: string): string {
    return this.#parts.witnesses?.client.cosigned(note) ?? note;
  }

  witnessed(): string | undefined {
    return this.#parts.witnesses?.client.kept();
  }

  start(): void {
    if (this.#parts.witnesses !== undefined || this.#parts.copy !== undefined) {
      void this.tick();
      this.#timer = setInterval(() => void this.tick(), EVERY_MS).unref();
    }
  }

  /** Never rejects. Concurrent calls share one turn. */
  async tick(): Promise<void> {
    this.#checkAlarm();
    this.#running ??= this.#turn().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Copies the last checkpoint: call it while the log is still open. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    this.#parts.witnesses?.client.close();
    await this.#running;
    const { copy, trail } = this.#parts;
    if (copy !== undefined) {
      const last = await Promise.race([
        trail.checkpoint().catch(() => undefined),
        delay(LAST_COPY_WITHIN_MS, undefined, { ref: false }),
      ]);
      if (last !== undefined) {
        copy.put(this.cosigned(last));
        await copy.settled(LAST_COPY_WITHIN_MS);
      }
    }
  }

  async #turn(): Promise<void> {
    const { trail, witnesses, copy, logger } = this.#parts;
    try {
      const note = await trail.checkpoint();
      copy?.put(this.cosigned(note));
      if (witnesses !== undefined) {
        const before = witnesses.client.kept();
        this.#heard(await witnesses.client.ask(note), await trail.verifierKey());
        const after = witnesses.client.kept();
        if (after !== undefined && after !== before) {
          await witnesses.store(after);
        }
        copy?.put(this.cosigned(note));
      }
    } catch (error) {
      // A log that cannot be written reports that itself.
      if (!(error instanceof AuditUnavailableError) && !this.#isClosing) {
        logger.error({ err: error }, 'the checkpoint of the audit log could not be witnessed');
      }
    }
  }

  #heard({ isMet, note, reports }: Round, verifierKey: string): void {
    if (this.#isClosing) {
      return;
    }
    reports.forEach((report) => {
      this.#report(report);
    });
    if (!isMet) {
      return;
    }
    this.#metAt = this.#parts.now();
    this.#witnessedSize = VerifierKey.parse(verifierKey).open(note).size;
    if (this.#isAlarmed) {
      this.#isAlarmed = false;
      this.#parts.logger.info({ size: this.#witnessedSize }, 'the witness policy is met again');
    }
  }

  #report({ witness, kind, message, isNew, forgot, theirSize }: Round['reports'][number]): void {
    const { logger } = this.#parts;
    if (kind === 'cosigned') {
      this.#conflicts.delete(witness);
    } else if ((kind === 'ahead' || kind === 'inconsistent') && !this.#conflicts.has(witness)) {
      this.#conflicts.add(witness);
      const records = theirSize === undefined ? {} : { records: theirSize };
      this.events.emit('witness-conflict', { witness, ...records });
    }
    if (forgot !== undefined) {
      logger.warn(
        { witness, cosigned: forgot, remembers: theirSize },
        'a witness has forgotten what it cosigned: its state was rolled back',
      );
    } else if (isNew && kind === 'cosigned') {
      logger.info({ witness }, 'a witness cosigns the checkpoints of the audit log');
    } else if (isNew) {
      logger[this.#conflicts.has(witness) ? 'error' : 'warn'](
        { witness, outcome: kind },
        `a witness does not cosign: ${message}`,
      );
    }
  }

  #checkAlarm(): void {
    const { witnesses, logger } = this.#parts;
    const seconds = Math.floor(this.secondsSinceQuorum);
    if (witnesses !== undefined && !this.#isAlarmed && seconds * 1000 >= ALARM_AFTER_MS) {
      this.#isAlarmed = true;
      logger.error({ seconds }, 'the witness policy is not met');
      this.events.emit('witness-quorum', { seconds });
    }
  }
}
