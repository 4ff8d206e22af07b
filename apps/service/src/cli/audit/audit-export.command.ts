import { Command, Option } from 'commander';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportText, FORMATS, type ExportFormat } from '../../audit/export/export-text.ts';
import { readLogs, requireSingleLog } from '../../audit/read-logs.ts';
import { OperatorError } from '@caregate/data-store/errors';
import type { ProgressLine } from '../common/progress-line.ts';
import { createOutput, type Output } from '../common/run-command.ts';
import {
  runAuditCommand,
  withNewFile,
  readRecorded,
  withLog,
  type LogFlags,
} from './audit-work.ts';
import { describeFilter, readFilter, withFilter, type FilterFlags } from './log-filter.ts';

const help = `
fhir    FHIR R4 AuditEvents (IHE BALP profiles), one per line; a search of several patients gives one for each
csv     one row per record, for spreadsheets; cells that look like formulas are escaped with an apostrophe
ndjson  the hashed records, for tools/audit-verifier; records outside the filter are included as hashes only

With DATABASE_URL, fhir and csv export all logs of the database, or the one given by --log; ndjson exports one log.

Writes to standard output, or to a new file that only its owner can read. The export itself is recorded in the log, with
your user name and the filter, and is the last record exported.`;

interface Flags extends LogFlags, FilterFlags {
  readonly format: ExportFormat;
  readonly out?: string;
  readonly json?: true;
}

export function buildAuditExportCommand(): Command {
  return withFilter(withLog(new Command('export')))
    .summary('export the log, or part of it, as FHIR, CSV or NDJSON')
    .addOption(
      new Option('--format <format>', 'output format, see below')
        .choices(FORMATS)
        .default('ndjson'),
    )
    .option('--out <file>', 'output file; must not exist')
    .addHelpText('after', help)
    .action((flags: Flags) => runAuditCommand((progress) => exportLogs(flags, progress)));
}

/** @throws AuditBrokenError if the log is broken; then no file is left */
async function exportLogs(flags: Flags, progress: ProgressLine): Promise<Output> {
  const { data, format, out: file, json } = flags;
  if (json === true && file === undefined) {
    throw new OperatorError('--json needs --out: standard output has the export itself.');
  }
  const filter = readFilter(flags);
  // Check this before anything is recorded or created: there may be no such log, or several, while NDJSON exports a
  // single log.
  const log = await readLogs(flags, (logs) =>
    format === 'ndjson' ? requireSingleLog(logs).identity.logId : flags.log,
  );
  const named = flags.log === undefined ? {} : { log: flags.log };
  const details = { format, ...describeFilter(flags), ...named };
  const reading = { operation: 'exportAudit', details };
  await withNewFile(file, (target) =>
    readRecorded({ data, log }, reading, progress, async (logs, onRecords, checkpoint) => {
      const text = Readable.from(exportText(logs, { format, filter, checkpoint, onRecords }));
      await (target === undefined
        ? pipeline(text, process.stdout, { end: false })
        : pipeline(text, createWriteStream('', { fd: target, flush: true, autoClose: false })));
    }),
  );
  return createOutput({ format, file }, () => '');
}
