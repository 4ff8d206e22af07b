import { AuditBrokenError, BadCheckpointError } from '@caregate/audit-log';
import { brokenJson, exitCodes, failureText } from './verify-command.ts';

type Failure = AuditBrokenError | BadCheckpointError;
type Json = Readonly<Record<string, unknown>>;

/** Where what was found is told. */
export interface FindingsOptions {
  readonly json?: true;
  /** Called before anything is printed. */
  readonly onEnd?: () => void;
}

/** What a verification of several logs found: told to people at once, to programs as a line for each log. */
export class LogFindings {
  readonly #options: FindingsOptions;
  readonly #byLog = new Map<string, Json>();
  #code = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** The exit code of the first failure; 0: there was none. */
  get code(): number {
    return this.#code;
  }

  /** @param log its name */
  verified(log: string, json: Json, text: string): void {
    this.#byLog.set(log, json);
    this.say(text);
  }

  /** A log that failed stays so, whatever else holds of it, with its first failure. */
  failed(log: string, error: Failure, text = failureText(error)): void {
    const json = brokenJson(log, error);
    this.#code ||= exitCodes[json.breach];
    if (this.#byLog.get(log)?.['verified'] !== false) {
      this.#byLog.set(log, json);
    }
    if (this.#options.json !== true) {
      this.#options.onEnd?.();
      process.stderr.write(`${text}\n`);
    }
  }

  /** Runs a check of a log; its failure is one of the log, and the other logs are still verified. Returns whether it holds. */
  async check(log: string, called: string, verify: () => Promise<void>): Promise<boolean> {
    try {
      await verify();
      return true;
    } catch (error) {
      if (!(error instanceof AuditBrokenError) && !(error instanceof BadCheckpointError)) {
        throw error;
      }
      this.failed(log, error, `${called}: verification failed: ${failureText(error)}`);
      return false;
    }
  }

  /** For people alone. */
  say(text: string): void {
    if (this.#options.json !== true) {
      this.#options.onEnd?.();
      process.stdout.write(text);
    }
  }

  /** For programs alone, once all is found. */
  printJson(): void {
    if (this.#options.json === true) {
      this.#options.onEnd?.();
      const lines = [...this.#byLog.values()].map((one) => `${JSON.stringify(one)}\n`);
      process.stdout.write(lines.join(''));
    }
  }
}
