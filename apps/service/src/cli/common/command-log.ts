import { AuditUnavailableError } from '@caregate/audit-log';
import type { RecordAct } from '../../auth/access-acts.ts';
import {
  buildAccessActEntry,
  buildActEntry,
  NOT_COMMITTED,
  type AuditAct,
} from '../../audit/audit-entries.ts';
import type { AuditEntry } from '../../audit/audit-record.ts';
import { openActLog, recordActs, type ActLog, type AuditLog } from '../../audit/open-log.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { toOperatorError } from '../../config/to-operator-error.ts';

export class CommandLog {
  readonly #log: ActLog & { readonly dataDir: string };
  #isHeld = false;
  #open: AuditLog | undefined;

  constructor(log: ActLog & { readonly dataDir: string }) {
    this.#log = log;
  }

  get dataDir(): string {
    return this.#log.dataDir;
  }

  /** Keeps the audit log open until `work` ends, for several records. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#isHeld = true;
    try {
      return await work();
    } finally {
      this.#isHeld = false;
      await this.#close();
    }
  }

  /** @throws OperatorError if the action can't be recorded. It MUST NOT take effect then. */
  async record(act: AuditAct): Promise<void> {
    await this.#append(buildActEntry(act));
  }

  /**
   * Gives `work` a function that records its action before it takes effect. If `work` fails after that, the action is
   * recorded as failed.
   *
   * @param unrecorded the action to record as failed if `work` fails before it records its own
   */
  async recordFirst<T>(
    work: (record: (act: AuditAct) => Promise<void>) => Promise<T>,
    unrecorded?: AuditAct,
  ): Promise<T> {
    let failure = unrecorded;
    try {
      return await work(async (act) => {
        await this.record(act);
        failure = { ...act, reason_code: NOT_COMMITTED };
      });
    } catch (error) {
      if (failure !== undefined) {
        await this.recordFailure(failure);
      }
      throw error;
    }
  }

  /** Never throws, since that would hide the first error. */
  async recordFailure(act: AuditAct): Promise<void> {
    await this.record({ ...act, decision: 'failed' }).catch(() => undefined);
  }

  readonly acts: RecordAct = (act, decision) => this.#append(buildAccessActEntry(act, decision));

  async #append(entry: AuditEntry): Promise<void> {
    try {
      if (this.#isHeld) {
        this.#open ??= await openActLog(this.#log);
        await this.#open.record(entry);
      } else {
        await recordActs(this.#log, [entry]);
      }
    } catch (error) {
      // The next record opens the log again.
      await this.#close();
      throw createNotRecordedError(error);
    }
  }

  async #close(): Promise<void> {
    const log = this.#open;
    this.#open = undefined;
    await log?.close();
  }
}

function createNotRecordedError(error: unknown): OperatorError {
  const operatorError = toOperatorError(error);
  const why = operatorError instanceof OperatorError ? ` ${operatorError.message}` : '';
  const mayBeThere = error instanceof AuditUnavailableError && !error.isRefused;
  const what = mayBeThere
    ? 'Not done, because the audit log did not confirm the record, which may be in it all the same.'
    : 'Nothing was done, because it could not be recorded in the audit log.';
  return new OperatorError(`${what}${why}`, 1, error);
}
