import { takeOpened } from '../../config/run-as.ts';
import { basename } from 'node:path';
import { printableLines } from '../start/printable.ts';
import {
  importFile,
  type ImportReport,
  type ImportWriter,
  openInput,
  problemsText,
  type RefusedFile,
  reportJson,
  summaryText,
  uuidText,
} from '@caregate/data-store';
import type { CommandLog } from '../start/command-log.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { recordedImport } from './recorded-import.ts';

export interface LinesOptions {
  readonly team: Uint8Array | undefined;
  readonly refused: RefusedFile | undefined;
  readonly waitMs: number;
  readonly onWaiting: () => void;
  readonly json: boolean;
}

/** Imports a file of NDJSON, and prints what became of it. */
export async function importLines(
  {
    log,
    writer,
    progress,
  }: { readonly log: CommandLog; readonly writer: ImportWriter; readonly progress: ProgressLine },
  file: string,
  { team, refused, waitMs, onWaiting, json }: LinesOptions,
): Promise<ImportReport> {
  const input = openInput(file, takeOpened);
  const began = performance.now();
  let report: ImportReport;
  try {
    const about = { team: team && uuidText(team), digest: () => input.digest() };
    report = await recordedImport(log, about, (beforeCommit) =>
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
  const problems = problemsText(report, refused !== undefined);
  if (problems !== '') {
    process.stderr.write(`${printableLines(problems)}\n`);
  }
  const seconds = (performance.now() - began) / 1000;
  if (json) {
    process.stdout.write(`${reportJson(report, seconds)}\n`);
  } else if (report.imported) {
    process.stdout.write(`${printableLines(summaryText(report, seconds))}\n`);
  }
  return report;
}
