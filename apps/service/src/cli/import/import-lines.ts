import { takeOpened } from '../../config/run-as.ts';
import { basename } from 'node:path';
import { sanitizeLines } from '../common/printable.ts';
import {
  describeReport,
  type ImportDatabase,
  importFile,
  type ImportReport,
  ImportWriter,
  openInput,
  formatProblems,
  type RefusedFile,
  formatSummary,
  formatUuid,
} from '@caregate/data-store';
import type { CommandLog } from '../common/command-log.ts';
import { createOutput, print } from '../common/run-command.ts';
import type { ProgressLine } from '../common/progress-line.ts';
import { runRecordedImport } from './recorded-import.ts';

export interface ImportRun {
  readonly log: CommandLog;
  readonly database: ImportDatabase;
  readonly progress: ProgressLine;
  readonly waitMs: number;
  readonly onWaiting: () => void;
}

/**
 * Imports NDJSON files until one is refused, and prints the outcome of each. @returns the teams, or undefined if a
 * file was refused
 */
export async function importLines(
  run: ImportRun,
  files: readonly string[],
  only: { readonly team: Uint8Array | undefined; readonly refused: RefusedFile | undefined },
): Promise<ReadonlySet<string> | undefined> {
  const writer = new ImportWriter(run.database);
  const teams = new Set<string>();
  for (const file of files) {
    const began = performance.now();
    const report = await importOne(run, writer, file, only);
    const seconds = (performance.now() - began) / 1000;
    const problems = formatProblems(report, only.refused !== undefined);
    if (problems !== '') {
      process.stderr.write(`${sanitizeLines(problems)}\n`);
    }
    print(
      createOutput(describeReport(report, seconds), () =>
        report.imported ? `${formatSummary(report, seconds)}\n` : '',
      ),
    );
    if (!report.imported) {
      return undefined;
    }
    report.teams.forEach((team) => teams.add(team));
  }
  return teams;
}

async function importOne(
  { log, progress, waitMs, onWaiting }: ImportRun,
  writer: ImportWriter,
  file: string,
  { team, refused }: Parameters<typeof importLines>[2],
): Promise<ImportReport> {
  const input = openInput(file, takeOpened);
  const about = { team: team && formatUuid(team), digest: () => input.getDigest() };
  try {
    return await runRecordedImport(log, about, (beforeCommit) =>
      importFile(writer, input, {
        ...{ team, waitMs, beforeCommit, onWaiting },
        onProgress: ({ bytesRead, bytesTotal }) => {
          progress.draw(`${basename(input.name)}, bytes`, bytesRead, bytesTotal);
        },
        onRefused:
          refused &&
          ((line) => {
            refused.write(line);
          }),
      }),
    );
  } finally {
    progress.clear();
  }
}
