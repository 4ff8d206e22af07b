import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The parts of the service that these commands put to the test, from its source; Node strips the types. They are named
// by address and not imported by name: the service has no entry points for others.
const audit = new URL('../../../apps/service/src/audit/', import.meta.url);

interface Reader {
  readonly db: DatabaseSync;
  identity(): { readonly verifierKey: string };
  checkpoint(): string | undefined;
  close(): void;
}
export interface VerifierKey {
  readonly name: string;
}
export interface Writer {
  readonly verifierKey: string;
  record(entry: unknown): Promise<{ readonly seq: number }>;
  checkpoint(): Promise<string>;
  close(): Promise<void>;
}

const { AuditReader } = (await part('log/audit-reader.ts')) as {
  AuditReader: new (folder: string) => Reader;
};
export const { parseVerifierKey } = (await part('log/checkpoint.ts')) as {
  parseVerifierKey: (text: string) => VerifierKey;
};
export const { verifyLog } = (await part('verify.ts')) as {
  verifyLog: (
    db: DatabaseSync,
    options: { key: VerifierKey; outside?: string },
  ) => { readonly size: number };
};
export const { openAuditLog } = (await part('audit-writer.ts')) as {
  openAuditLog: (folder: string, options?: object) => Promise<Writer>;
};

/** The program that writes to a log without end and tells what it was told is on disk. */
export const writerChild = fileURLToPath(
  new URL('../../../apps/service/e2e/audit-writer-child.ts', import.meta.url),
);

export function part(path: string): Promise<unknown> {
  return import(new URL(path, audit).href) as Promise<unknown>;
}

/** What `writerChild` printed: the records that it was told are on disk, by their number. */
export function acknowledgedIn(told: string): Map<number, string> {
  const lines = told.matchAll(/^(\d+) (\S+)\n/gmu);
  return new Map([...lines].map(([, seq, id]) => [Number(seq), String(id)]));
}

export interface Outcome {
  /** Acknowledged and not in the log. */
  readonly lost: number;
  /** What the verification found wrong. */
  readonly broken: string | undefined;
  readonly size: number;
  /** For the next verification. */
  readonly checkpoint: string | undefined;
}

/** Compares a log with what was acknowledged, and verifies it. */
export function examine(
  folder: string,
  acknowledged: ReadonlyMap<number, string>,
  outside?: string,
): Outcome {
  let reader: Reader;
  try {
    reader = new AuditReader(folder);
  } catch {
    return { lost: acknowledged.size, broken: undefined, size: 0, checkpoint: undefined };
  }
  try {
    const read = reader.db.prepare('select request_id from audit_event where seq = ?');
    const lost = [...acknowledged].filter(([seq, id]) => read.get(seq)?.['request_id'] !== id);
    const key = parseVerifierKey(reader.identity().verifierKey);
    const { size } = verifyLog(reader.db, { key, ...(outside !== undefined && { outside }) });
    return { lost: lost.length, broken: undefined, size, checkpoint: reader.checkpoint() };
  } catch (error) {
    const broken = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    return { lost: acknowledged.size, broken, size: 0, checkpoint: undefined };
  } finally {
    reader.close();
  }
}

/** A folder of this command's own under the system's temporary folder, removed when it ends. */
export function workFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'caregate-faults-'));
  process.on('exit', () => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** The number after `--name`, or the default. */
export function flag(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) {
    process.stderr.write(`--${name} takes a number from 1 on.\n`);
    process.exit(2);
  }
  return value;
}

/** Prints the figures and ends with 0 where all is as it must be, else with 1. */
export function report(figures: Readonly<Record<string, string | number>>, isGood: boolean): void {
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name}: ${value}\n`);
  }
  process.stdout.write(isGood ? 'OK\n' : 'FAILED\n');
  process.exitCode = isGood ? 0 : 1;
}

export function skip(reason: string): never {
  process.stdout.write(`SKIPPED: ${reason}\n`);
  process.exit(0);
}
