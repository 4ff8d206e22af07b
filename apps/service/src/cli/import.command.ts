import { Command, InvalidArgumentError, Option } from 'commander';
import { basename } from 'node:path';
import { readDatabaseUrl } from '../config/read-config.ts';
import { importFile } from '../source/store/import/import.ts';
import type { ImportReport } from '../source/store/import/import-types.ts';
import { openInput } from '../source/store/import/input.ts';
import { RefusedFile } from '../source/store/import/refused-file.ts';
import { problemsText, reportJson, summaryText } from '../source/store/import/report-text.ts';
import type { ImportWriter } from '../source/store/import/import-writer.ts';
import { openSqliteWriter } from '../source/store/import/sqlite-import.ts';
import { openPostgresWriter } from '../source/store/postgres/open-postgres-store.ts';
import { recordedImport } from './recorded-import.ts';
import { CommandLog } from './start/command-log.ts';
import type { ProgressLine } from './start/progress-line.ts';
import { runCommand } from './start/run-command.ts';
import { uuidBytes, uuidText } from '../source/store/schema.ts';

const examples = `
Each line of a FILE is one JSON object (NDJSON, UTF-8, plain or gzip):

  {"kind":"user","user":{"user_id":"3fa85f64-5717-4562-b3fc-2c963f66afa6","team_id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","client_user_id":"patient-0017","created_on":"2026-01-15T09:30:00+00:00","connected_sources":[],"fallback_time_zone":{"id":"Europe/Berlin","source_slug":"manual","updated_at":"2026-01-15T09:30:00+00:00"}}}
  {"kind":"lab_result","team_id":"7c9e…","user_id":"3fa8…","order_id":"5d1f…","result":{"metadata":{…},"results":[…]}}
  {"kind":"insurance","team_id":"7c9e…","user_id":"3fa8…","recorded_at":"2026-01-15T09:30:00+00:00","is_primary":true,"insurance":{…}}
  {"kind":"mindfulness_minutes","team_id":"7c9e…","user_id":"3fa8…","source":{"provider":"oura","type":"ring"},"data":[{"start":"2026-01-15T07:00:00+01:00","end":"2026-01-15T07:12:00+01:00","unit":"min","value":12}]}

With DATABASE_URL (postgresql://...) the data is imported into that database instead of the data folder, which then holds
only the key that signs the audit log; imports of different teams can run at the same time.

The line of a user must come before the lines that refer to that user. A file is imported completely or, if any line is
invalid, not at all; --skip-invalid imports the valid lines. Importing a file again changes nothing.

A file can contain the data of several teams; each line names its team. To import the files of one clinic, use --team:
lines of other teams are then refused as invalid, so that a file cannot change the data of another clinic.

The start and the end of an import are recorded in the audit log, the end with the SHA-256 of the file, the teams and the
number of records, before the data is committed; without a log that can be written, nothing is imported.
Exit codes: 0 success, 1 failure (disk, store), 2 usage or input error (invalid line, missing file).`;

interface Options {
  readonly data?: string;
  readonly team?: Uint8Array;
  readonly skipInvalid?: string;
  readonly wait: number;
  readonly json?: true;
}

export function importCommand(): Command {
  return new Command('import')
    .description('Imports health data from NDJSON files. The service can keep running.')
    .argument('<file...>', 'NDJSON files, plain or gzip; - for standard input')
    .addOption(new Option('--data <dir>', 'data folder, created if missing').env('CAREGATE_DATA'))
    .option('--team <uuid>', 'import only this team; lines of other teams are refused', teamId)
    .option(
      '--skip-invalid <file>',
      'import the valid lines, write the refused lines with reasons to this file',
    )
    .addOption(
      new Option(
        '--wait <seconds>',
        'how long to wait for another import into the same store to finish',
      )
        .default(600)
        .argParser(Number),
    )
    .option('--json', 'print a line of JSON for each file')
    .addHelpText('after', examples)
    .action((files: string[], options: Options) =>
      runCommand((progress) => runImport(files, options, progress)),
    );
}

async function runImport(
  files: readonly string[],
  options: Options,
  progress: ProgressLine,
): Promise<0 | 1 | 2> {
  let refused: RefusedFile | undefined;
  let writer: ImportWriter | undefined;
  try {
    if (options.skipInvalid !== undefined) {
      refused = new RefusedFile(options.skipInvalid, files);
    }
    const log = CommandLog.of(options.data);
    writer = await openWriter(log.dataDir, options);
    for (const file of files) {
      if (!(await importOne({ log, writer, progress }, file, refused, options))) {
        return 2;
      }
    }
    return 0;
  } finally {
    await writer?.close();
    refused?.close();
  }
}

async function openWriter(data: string, { wait }: Options): Promise<ImportWriter> {
  const url = readDatabaseUrl(process.env);
  if (url !== '') {
    return await openPostgresWriter(url, Math.min(wait * 1000, 60_000), (reason) => {
      process.stderr.write(`Waiting for the database: ${reason}\n`);
    });
  }
  return await openSqliteWriter(data);
}

async function importOne(
  {
    log,
    writer,
    progress,
  }: {
    readonly log: CommandLog;
    readonly writer: ImportWriter;
    readonly progress: ProgressLine;
  },
  file: string,
  refused: RefusedFile | undefined,
  options: Options,
): Promise<boolean> {
  const input = await openInput(file);
  const began = performance.now();
  let report: ImportReport;
  try {
    const about = { team: options.team && uuidText(options.team), digest: () => input.digest() };
    report = await recordedImport(log, about, (beforeCommit) =>
      importFile(writer, input, {
        team: options.team,
        waitMs: options.wait * 1000,
        beforeCommit,
        onProgress: ({ bytesRead, bytesTotal }) => {
          progress.draw(`${basename(input.name)}, bytes`, bytesRead, bytesTotal);
        },
        onWaiting: () => {
          progress.clear();
          process.stderr.write('Waiting: another process is writing to this store.\n');
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
    process.stderr.write(`${problems}\n`);
  }
  const seconds = (performance.now() - began) / 1000;
  if (options.json === true) {
    process.stdout.write(`${reportJson(report, seconds)}\n`);
  } else if (report.imported) {
    process.stdout.write(`${summaryText(report, seconds)}\n`);
  }
  return report.imported;
}

function teamId(text: string): Uint8Array {
  const team = uuidBytes(text);
  if (team === undefined) {
    throw new InvalidArgumentError('Expected a team id (a UUID).');
  }
  return team;
}
