import { AuditUnavailableError } from '@caregate/audit-log';
import type { AuditEntry, AuditRecorder } from '../record/audit-entry.ts';

export const UNDONE_WITHIN_MS = 10_000;

/** Records that acts did not take effect, where their own records are or may be in the log. Retries until the log takes it. */
export class UndoneActs {
  readonly #audit: AuditRecorder;
  readonly #going = new Set<Promise<void>>();
  readonly #pauses = new Set<() => void>();
  #isOver = false;

  constructor(audit: AuditRecorder) {
    this.#audit = audit;
  }

  /** @param recording of the act; if it fails, its record may be in the log all the same */
  add(recording: Promise<unknown>, undone: AuditEntry): void {
    this.#keep(
      recording.then(
        () => this.#record(undone),
        (error: unknown) => (isRefused(error) ? undefined : this.#record(undone)),
      ),
    );
  }

  again(recording: Promise<unknown>, undone: AuditEntry): void {
    this.#keep(
      recording.then(
        () => undefined,
        () => this.#record(undone),
      ),
    );
  }

  /** Waits for all of them, at most `UNDONE_WITHIN_MS`; then nothing is retried. */
  async settled(): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, UNDONE_WITHIN_MS);
    });
    await Promise.race([Promise.all(this.#going), over]);
    clearTimeout(limit);
    this.#isOver = true;
    this.#pauses.forEach((end) => {
      end();
    });
  }

  #keep(saying: Promise<void>): void {
    const going = saying.finally(() => this.#going.delete(going));
    this.#going.add(going);
  }

  async #record(undone: AuditEntry): Promise<void> {
    for (;;) {
      try {
        await this.#audit.record(undone);
        return;
      } catch (error) {
        if (this.#isOver || !(error instanceof AuditUnavailableError)) {
          return;
        }
        await this.#pause(error.retryAfterSeconds * 1000);
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      this.#pauses.add(end);
    });
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof AuditUnavailableError && error.isRefused;
}
