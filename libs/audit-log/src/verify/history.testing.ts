import { ProcessStopped, SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { saltLength } from '../entry/record-text.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { oneOf, seededDice, type Dice } from '../testing/dice.testing.ts';
import { FolderWalk } from './folder-walk.ts';
import { verifyFolderOn } from './verify-folder.ts';
import { logPaths } from '../folder/layout.ts';
import { LogWriter } from '../folder/log-writer.ts';

const dataDir = '/data';

/** What a history promised that was not kept. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export interface HistoryOptions {
  readonly seed: number;
  /** A control: once there is a log, the disk says that it synced, and did not. */
  readonly ignoresSyncs?: boolean;
}

export interface HistoryReport {
  readonly acknowledged: number;
  readonly records: number;
  /** Starts of a process. */
  readonly starts: number;
  /** Calls of the disk. */
  readonly calls: number;
  /** Appends and starts that a failing disk refused. */
  readonly refused: number;
}

/**
 * One history of a log on a simulated disk: processes that start, append, sign, fail, are killed or lose their power, on a disk
 * that fails, fills up and forgets what was not synced. At the end the disk is whole again.
 *
 * @throws Violation if an acknowledged record is not in the log, or the log does not verify
 */
export async function playHistory(options: HistoryOptions): Promise<HistoryReport> {
  const history = new History(options);
  await history.play();
  return history.report();
}

class History {
  readonly #dice: Dice;
  readonly #disk: SimulatedDisk;
  readonly #segmentBytes: number;
  readonly #groupMost: number;
  readonly #reservedBytes: number;
  readonly #failing: number;
  readonly #ignoresSyncs: boolean;
  /** Text of each acknowledged record, by its number. */
  readonly #acknowledged = new Map<number, string>();
  #checkpoint: string | undefined;
  #attempts = 0;
  #starts = 0;
  #refused = 0;
  #records = 0;

  constructor({ seed, ignoresSyncs = false }: HistoryOptions) {
    this.#ignoresSyncs = ignoresSyncs;
    this.#dice = seededDice(seed);
    this.#disk = new SimulatedDisk({ seed: seed + 1 });
    this.#segmentBytes = oneOf(this.#dice, [700, 3000, 20_000]);
    this.#groupMost = oneOf(this.#dice, [...Array<number>(19).fill(4), 90]);
    this.#reservedBytes = oneOf(this.#dice, [0, 300, 5000]);
    this.#failing = oneOf(this.#dice, [0, 0, 50, 400]);
    // The folder was there before.
    this.#disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  }

  report(): HistoryReport {
    return {
      acknowledged: this.#acknowledged.size,
      records: this.#records,
      starts: this.#starts,
      calls: this.#disk.calls,
      refused: this.#refused,
    };
  }

  async play(): Promise<void> {
    const lives = 1 + this.#dice(3);
    for (let life = 0; life < lives; life += 1) {
      const stop = oneOf(this.#dice, [40, 80, Number.POSITIVE_INFINITY]);
      this.#disk.failing = this.#failing;
      this.#disk.stopAt =
        this.#disk.calls +
        (Number.isFinite(stop) ? 1 + this.#dice(stop) : Number.POSITIVE_INFINITY);
      if (this.#dice(8) === 0) {
        this.#disk.room = this.#dice(20_000);
      }
      this.#live();
      this.#disk.room = Number.POSITIVE_INFINITY;
      this.#disk.failing = 0;
      this.#disk.restart(oneOf(this.#dice, ['kill', 'power cut']));
    }
    await this.#examine();
  }

  /** One life of a process: it opens the log, appends and signs, and opens it again after an error. */
  #live(): void {
    try {
      for (let opened = 0; opened < 2; opened += 1) {
        this.#attempt(() => {
          const log = this.#open();
          this.#disk.ignoresSyncs = this.#ignoresSyncs;
          try {
            this.#work(log);
            if (this.#dice(3) === 0) {
              this.#sign(log);
            }
          } finally {
            log.close();
          }
        });
      }
    } catch (error) {
      if (!(error instanceof ProcessStopped)) {
        throw error;
      }
    }
  }

  #open(): LogWriter {
    this.#starts += 1;
    return new LogWriter({
      disk: this.#disk,
      dataDir,
      host: 'clinic.example',
      segmentBytes: this.#segmentBytes,
      reservedBytes: this.#reservedBytes,
    });
  }

  #work(log: LogWriter): void {
    for (let turn = this.#dice(5); turn > 0; turn -= 1) {
      const records = Array.from({ length: 1 + this.#dice(this.#groupMost) }, () =>
        this.#nextEntry(),
      );
      const first = log.append(records);
      records.forEach((text, at) => {
        const seq = first + at;
        if (this.#acknowledged.has(seq)) {
          throw new Violation(`Record ${seq} was acknowledged twice`);
        }
        this.#acknowledged.set(seq, text);
      });
      if (this.#dice(4) === 0) {
        this.#sign(log);
      }
      if (this.#dice(9) === 0) {
        this.#checkpoint = log.rotateKey(log.nextKey(), 'amara');
      }
    }
  }

  #sign(log: LogWriter): void {
    this.#checkpoint = log.checkpoint();
  }

  #nextEntry(): string {
    this.#attempts += 1;
    const requestId = `${this.#attempts}${'x'.repeat(this.#dice(9) === 0 ? this.#dice(2000) : 0)}`;
    return auditEntry({ request_id: requestId });
  }

  /** The disk may refuse it: then what it did is not acknowledged. */
  #attempt(what: () => void): void {
    try {
      what();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'EIO' && code !== 'ENOSPC') {
        throw error instanceof ProcessStopped ? error : violationOf('It can not go on', error);
      }
      this.#refused += 1;
    }
  }

  /** On a disk that is whole again: the log opens and verifies, and has what was acknowledged. */
  async #examine(): Promise<void> {
    const log = this.#lastStart();
    const { identity, verifierKey } = log;
    log.close();
    try {
      for (const key of new Set([identity.verifierKey, verifierKey])) {
        const { size } = await verifyFolderOn(this.#disk, dataDir, {
          key: VerifierKey.parse(key),
          ...(this.#checkpoint !== undefined && { outside: this.#checkpoint }),
        });
        this.#records = size;
      }
    } catch (error) {
      throw violationOf('It does not verify', error);
    }
    const texts = textsOf(this.#disk, identity.logId);
    for (const [seq, text] of this.#acknowledged) {
      if (texts[seq] !== text) {
        throw new Violation(`Record ${seq} was acknowledged and is not in the log`);
      }
    }
    const ids = texts.map((text) => /"request_id":"(\d+)/u.exec(text)?.[1]);
    const attempts = ids.filter((id) => id !== undefined);
    if (new Set(attempts).size < attempts.length) {
      throw new Violation('A record is in the log twice');
    }
  }

  #lastStart(): LogWriter {
    try {
      return this.#open();
    } catch (error) {
      throw violationOf('It can not be opened again', error);
    }
  }
}

function violationOf(what: string, error: unknown): Violation {
  return error instanceof Violation
    ? error
    : new Violation(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
}

/** Texts of all records of the log, by their numbers. */
export function textsOf(disk: SimulatedDisk, logId: string): string[] {
  const texts: string[] = [];
  for (const { first, entries } of new FolderWalk(disk, logPaths(dataDir), logId).groups()) {
    entries.forEach((entry, at) => {
      texts[first + at] = entry.toString('utf8', saltLength);
    });
  }
  return texts;
}
