import { AuditBrokenError, BadCheckpointError, LogRefusedError } from '@caregate/audit-log';
import { printableLines } from '../../cli/start/printable.ts';

type Json = Readonly<Record<string, unknown>>;

export interface FindingsOptions {
  readonly json?: true;
  /** Called before a text is written. */
  readonly onEnd?: () => void;
}

const exitCodes: Readonly<Record<AuditBrokenError['breach'], number>> = {
  altered: 2,
  truncated: 3,
  forked: 4,
  bad_signature: 5,
  gap: 6,
};

/** What a verification of one or more logs found. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #byLog = new Map<string, Json>();
  #code = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  verified(log: string, facts: Json, text: string): void {
    this.#byLog.set(log, { log, verified: true, ...facts });
    this.say(text);
  }

  /** Reports a failure of `verify`. */
  async check(log: string, verify: () => Promise<void>): Promise<void> {
    try {
      await verify();
    } catch (error) {
      this.fail(log, error);
    }
  }

  /** The first failure of a log counts. @throws another error than a failed verification */
  fail(log: string, error: unknown): void {
    const breach = readBreach(error);
    this.#code ||= exitCodes[breach];
    const { message } = error as Error;
    if (this.#byLog.get(log)?.['verified'] !== false) {
      const { seq } = error as { readonly seq?: number };
      this.#byLog.set(log, {
        log,
        verified: false,
        breach,
        message,
        ...(seq !== undefined && { seq }),
      });
    }
    if (this.#options.json !== true) {
      this.#options.onEnd?.();
      process.stderr.write(printableLines(`${log}: verification failed (${breach}): ${message}\n`));
    }
  }

  say(text: string): void {
    if (this.#options.json !== true) {
      this.#options.onEnd?.();
      process.stdout.write(printableLines(text));
    }
  }

  end(): number {
    if (this.#options.json === true) {
      this.#options.onEnd?.();
      const lines = [...this.#byLog.values()].map((one) => `${JSON.stringify(one)}\n`);
      process.stdout.write(lines.join(''));
    }
    return this.#code;
  }
}

/** A checkpoint or key that cannot be relied on counts as a bad signature. */
function readBreach(error: unknown): AuditBrokenError['breach'] {
  if (error instanceof AuditBrokenError) {
    return error.breach;
  }
  const isKey = error instanceof LogRefusedError && error.kind === 'wrong_key';
  if (isKey || error instanceof BadCheckpointError) {
    return 'bad_signature';
  }
  throw error;
}
