import { printableLines } from '../../cli/start/printable.ts';
import { AuditBrokenError, BadCheckpointError } from '@caregate/audit-log';
import type { VerifyReport } from '../record/record-log.ts';

type Failure = AuditBrokenError | BadCheckpointError;
type Json = Readonly<Record<string, unknown>>;

export interface FindingsOptions {
  readonly json?: true;
  readonly onEnd?: () => void;
}

const exitCodes: Readonly<Record<AuditBrokenError['breach'], number>> = {
  altered: 2,
  truncated: 3,
  forked: 4,
  bad_signature: 5,
  gap: 6,
};

export class Findings {
  readonly #options: FindingsOptions;
  readonly #byLog = new Map<string | null, Json>();
  #code = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  verified(
    log: string,
    { size, seals, checkpoints, root }: VerifyReport,
    facts: { readonly key: string; readonly key_from: string; readonly checkpoint: boolean },
    text: string,
  ): void {
    const found = { size, seals, checkpoints, root: root.toString('base64') };
    this.#byLog.set(log, { log, verified: true, ...found, ...facts });
    this.say(text);
  }

  /** Runs a check of a log; its failure is printed, and other logs are still verified. Returns whether it holds. */
  async check(
    log: () => string | null,
    title: string,
    verify: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await verify();
      return true;
    } catch (error) {
      if (!(error instanceof AuditBrokenError) && !(error instanceof BadCheckpointError)) {
        throw error;
      }
      const { message } = error;
      const reason = `${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
      this.failed(log(), error, `${title}: ${reason}`);
      return false;
    }
  }

  /** The first failure of a log counts. */
  failed(log: string | null, error: Failure, text: string): void {
    // A checkpoint that cannot be relied on has no valid signature.
    const breach = error instanceof AuditBrokenError ? error.breach : 'bad_signature';
    this.#code ||= exitCodes[breach];
    if (this.#byLog.get(log)?.['verified'] !== false) {
      this.#byLog.set(log, { log, verified: false, breach, message: error.message });
    }
    if (this.#options.json !== true) {
      this.#options.onEnd?.();
      process.stderr.write(`${printableLines(text)}\n`);
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
