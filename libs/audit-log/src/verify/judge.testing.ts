import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AuditBrokenError, BadCheckpointError, NoAuditLogError } from '../errors.ts';
import { ndjsonOf } from '../log/log-source.ts';
import { newLog } from '../folder/new-log.ts';
import { LogReader } from '../folder/log-reader.ts';
import { LogRefusedError } from '../folder/log-refused.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { openWriter, withReader } from '../testing/folder-log.testing.ts';
import { oneOf, type Dice } from '../testing/dice.testing.ts';
import { forgeries, needKept } from './forgeries.testing.ts';
import {
  dataDir,
  diskOf,
  Forger,
  openOn,
  record,
  type Files,
  type LeftLog,
} from './forged-log.testing.ts';
import { verifyFolderOn } from './verify-folder.ts';

/** `verifyExport` of the independent verifier, which shares nothing with this library. */
export type VerifyExport = (
  lines: readonly string[],
  publicKey: string,
  oldNotes?: readonly string[],
) => Promise<[code: number, sentence: string]>;

/** What is said of a forged log. */
export interface Judgement {
  readonly way: string;
  /** What our verification found, with and without the kept checkpoint; undefined: nothing. */
  readonly found: string | undefined;
  readonly foundWithoutKept: string | undefined;
  /** What a start said, or what our verification found after a start went on and signed. */
  readonly afterStart: string | undefined;
  /** What the independent verifier found in an export; `not exported` if it could not be made; undefined: nothing. */
  readonly independent: string | undefined;
  /** Whether the export is the one of the log that nobody touched. */
  readonly isExportSame: boolean;
  /** What the reader under all that shows records found; undefined: nothing. */
  readonly reading: string | undefined;
  /** Whether what it gave is what the log has that nobody touched. */
  readonly isReadSame: boolean;
  /** Whether only a kept checkpoint can show it. */
  readonly needsKept: boolean;
  /** What is wrong with the log after a person followed the advice of a start, with or without the public key. */
  readonly afterAdvice: string | undefined;
}

/** What nobody found who had to; undefined if all did. */
export function missed(judged: Judgement): string | undefined {
  const { found, foundWithoutKept, afterStart, independent, isExportSame, needsKept, afterAdvice } =
    judged;
  const { reading, isReadSame } = judged;
  const missing = [
    found === undefined && 'our verification',
    foundWithoutKept === undefined && !needsKept && 'our verification, without a kept checkpoint',
    afterStart === undefined && 'a start, which signed it',
    independent === undefined && !isExportSame && 'the independent verifier',
    reading === undefined && !isReadSame && !needsKept && 'who reads the records',
    afterAdvice !== undefined && `who accepts the break: ${afterAdvice}`,
  ].filter((who) => who !== false);
  return missing.length === 0 ? undefined : missing.join(', ');
}

/** A log in its last state, what is kept of it elsewhere, and its export. */
export class Kept {
  readonly states: readonly LeftLog[];
  readonly other: LeftLog;
  readonly #exported: string;
  readonly #untouched: ReadonlySet<string>;
  readonly #verifyExport: VerifyExport;

  private constructor(
    states: readonly LeftLog[],
    other: LeftLog,
    exported: string,
    verifyExport: VerifyExport,
  ) {
    this.states = states;
    this.other = other;
    this.#exported = exported;
    const reader = new LogReader(diskOf(this.last.files), dataDir);
    this.#untouched = new Set(entriesOf(reader).map((entry) => entry.toString('latin1')));
    reader.close();
    this.#verifyExport = verifyExport;
  }

  static async of(
    states: readonly LeftLog[],
    other: LeftLog,
    verifyExport: VerifyExport,
  ): Promise<Kept> {
    const { files } = states.at(-1) as LeftLog;
    return new Kept(states, other, await exported(files), verifyExport);
  }

  get last(): LeftLog {
    return this.states.at(-1) as LeftLog;
  }

  /** Forges a copy in some way, and asks everybody. Undefined if the way left all as it was. */
  async judge(
    dice: Dice,
    ways: readonly string[] = Object.keys(forgeries),
  ): Promise<Judgement | undefined> {
    const way = oneOf(dice, ways);
    const forger = new Forger(this.states, this.other, dice);
    forgeries[way]?.(forger);
    const { files } = forger;
    if (isSame(files, this.last.files)) {
      return undefined;
    }
    const { checkpoint } = this.last;
    const found = await this.#find(files, checkpoint);
    const lines = await exported(files).catch((error: unknown) => said(error));
    const isExportSame = lines === this.#exported;
    const shown = await this.#read(files);
    return {
      way,
      found,
      foundWithoutKept: await this.#find(files),
      afterStart: await this.#afterStart(files),
      independent: lines.startsWith('{') ? await this.#ask(lines) : `not exported: ${lines}`,
      isExportSame,
      reading: typeof shown === 'string' ? shown : undefined,
      isReadSame:
        shown instanceof Set && !shown.has('forged') && shown.size === this.#untouched.size,
      needsKept: needKept.includes(way),
      afterAdvice: await this.#afterAdvice(files),
    };
  }

  /** Where a start refuses and says so, a new log is begun: it has nothing of the forged one. */
  async #afterAdvice(files: Files): Promise<string | undefined> {
    return await inFolder(async (folder) => {
      for (const [path, bytes] of files) {
        const to = join(folder, relative(dataDir, path));
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, bytes);
      }
      try {
        openWriter(folder).close();
        return undefined;
      } catch (error) {
        if (!(error instanceof LogRefusedError) || !error.message.includes('audit new-log')) {
          return undefined;
        }
      }
      await newLog(folder, {
        host: 'clinic.example',
        actorId: 'judge',
        reason: 'as the start said',
      });
      openWriter(folder).close();
      const size = withReader(folder, (reader) => reader.size());
      return size === 1 ? undefined : `the new log has ${size} records`;
    });
  }

  /** The records that a reader is given, `forged` for those that nobody wrote; or why there are none. */
  async #read(files: Files): Promise<Set<string> | string> {
    try {
      const reader = new LogReader(diskOf(files), dataDir);
      if (!reader.keys().has(VerifierKey.parse(this.last.verifierKey))) {
        return 'by another key';
      }
      const shown = new Set<string>();
      for await (const item of reader.records()) {
        const text = 'entry' in item ? item.entry.toString('latin1') : '';
        shown.add(text);
      }
      shown.delete('');
      return new Set([...shown].map((text) => (this.#untouched.has(text) ? text : 'forged')));
    } catch (error) {
      return said(error);
    }
  }

  async #ask(lines: string): Promise<string | undefined> {
    const { verifierKey, checkpoint } = this.last;
    const [code, sentence] = await this.#verifyExport(lines.trimEnd().split('\n'), verifierKey, [
      checkpoint,
    ]);
    return code === 0 ? undefined : `${code} ${sentence}`;
  }

  async #find(files: Files, outside?: string): Promise<string | undefined> {
    try {
      await verifyFolderOn(diskOf(files), dataDir, {
        key: VerifierKey.parse(this.last.verifierKey),
        ...(outside !== undefined && { outside }),
      });
      return undefined;
    } catch (error) {
      return said(error);
    }
  }

  /** A start must refuse the log, or leave it as provably forged as it was. */
  async #afterStart(files: Files): Promise<string | undefined> {
    const disk = diskOf(files);
    try {
      const log = openOn(disk);
      log.append([record(0)]);
      log.checkpoint();
      log.close();
    } catch (error) {
      if (error instanceof LogRefusedError) {
        return `refused: ${error.message}`;
      }
      throw error;
    }
    // What is set aside is recorded: see docs/audit-log.md.
    const isHeld = [...disk.files().keys()].some((path) => path.includes('/audit/held/'));
    return isHeld
      ? 'set aside, and recorded'
      : await this.#find(disk.files(), this.last.checkpoint);
  }
}

function entriesOf(reader: LogReader): Buffer[] {
  return Array.from({ length: reader.size() }, (_, seq) => Buffer.from(reader.entry(seq)));
}

async function exported(files: Files): Promise<string> {
  const reader = new LogReader(diskOf(files), dataDir);
  try {
    const note = reader.checkpoint();
    VerifierKey.parse(reader.identity().verifierKey).open(note);
    const pieces: string[] = [];
    const items = reader.read(0, Number(note.split('\n')[1]));
    for await (const piece of ndjsonOf(reader.identity(), items, { checkpoint: note })) {
      pieces.push(piece);
    }
    return pieces.join('');
  } finally {
    reader.close();
  }
}

function isSame(one: Files, other: Files): boolean {
  return (
    one.size === other.size &&
    [...one].every(([path, bytes]) => other.get(path)?.equals(bytes) === true)
  );
}

/** Anything but what a verification says of a log is a fault of ours. */
function said(error: unknown): string {
  if (
    error instanceof AuditBrokenError ||
    error instanceof BadCheckpointError ||
    error instanceof NoAuditLogError ||
    error instanceof LogRefusedError
  ) {
    return `${error instanceof AuditBrokenError ? error.breach : error.name}: ${error.message}`;
  }
  throw error;
}
