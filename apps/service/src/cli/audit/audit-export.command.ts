import { instantOfQueryDate, isCalendarDate, isDateTime } from '@caregate/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AUDIT_DECISIONS, type AuditDecision } from '@caregate/domain';
import { exportText, FORMATS, type ExportFormat } from '../../audit/export/export-text.ts';
import { inFolder, logOfDatabase } from '../../audit/offline/open-log.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { uuid } from '../start/access-command.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { output, type Output } from '../start/run-command.ts';
import { recorded } from './audit-recorded.ts';
import { auditWork, intoNewFile, onDatabase, withLog, withLogs } from './audit-work.ts';

const help = `
fhir    FHIR R4 AuditEvents (IHE BALP profiles), one per line; a search of several patients gives one for each
csv     one row per record, for spreadsheets; cells that look like formulas are escaped with an apostrophe
ndjson  the hashed records, for tools/audit-verifier; records outside the filter are included as hashes only

With DATABASE_URL, fhir and csv export all logs of the database, or the one given by --log; ndjson exports one log.

Writes to standard output, or to a new file that only its owner can read. The export itself is recorded in the log, with
your user name and the filter, and is the last record exported.`;

interface Flags {
  readonly data: string;
  readonly log?: string;
  readonly format: ExportFormat;
  readonly out?: string;
  readonly json?: true;
  readonly from?: string;
  readonly to?: string;
  readonly patient?: string;
  readonly team?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly decision?: AuditDecision;
}

export function auditExportCommand(): Command {
  return withLog(new Command('export'))
    .summary('export the log, or part of it, as FHIR, CSV or NDJSON')
    .addOption(
      new Option('--format <format>', 'output format, see below')
        .choices(FORMATS)
        .default('ndjson'),
    )
    .option('--out <file>', 'output file; must not exist')
    .option('--from <date>', 'only records from this date or date-time on', date)
    .option('--to <date>', 'only records up to this date or date-time', date)
    .option('--patient <uuid>', 'only records about this user', uuid)
    .option('--team <uuid>', 'only records of this team', uuid)
    .option('--actor <id>', 'only records of this key or person')
    .option('--operation <name>', 'only this operation, e.g. labOrderResult')
    .addOption(new Option('--decision <decision>', 'only this outcome').choices(AUDIT_DECISIONS))
    .addHelpText('after', help)
    .action((flags: Flags) => auditWork((progress) => exportLogs(flags, progress)));
}

/** @throws AuditBrokenError: then there is no file */
async function exportLogs(flags: Flags, progress: ProgressLine): Promise<Output> {
  const { data, format, out: file, json, log, ...options } = flags;
  if (json === true && file === undefined) {
    throw new OperatorError('--json needs --out: standard output has the export itself.');
  }
  const { from, to, ...rest } = options;
  const filter = {
    ...rest,
    fromUs: from === undefined ? undefined : instantOfQueryDate(from, 'start'),
    toUs: to === undefined ? undefined : instantOfQueryDate(to, 'end'),
  };
  // First, as it may be that there is no such log, or that NDJSON is asked of several.
  const logId = await onDatabase(
    async (pool) => (format === 'ndjson' ? (await logOfDatabase(pool, log)).identity().logId : log),
    () => inFolder(data, () => undefined),
  );
  await intoNewFile(file, async (target) => {
    const details = { format, ...options, ...(log !== undefined && { log }) };
    const checkpoint = await recorded(data, 'exportAudit', details);
    await withLogs({ data, ...(logId !== undefined && { log: logId }) }, progress, async (logs) => {
      const text = Readable.from(exportText(logs, { format, filter, checkpoint }));
      await (target === undefined
        ? pipeline(text, process.stdout, { end: false })
        : pipeline(text, createWriteStream('', { fd: target, flush: true, autoClose: false })));
    });
  });
  return output({ format, file }, '');
}

function date(text: string): string {
  if (!isCalendarDate(text) && !isDateTime(text)) {
    throw new InvalidArgumentError('Expected a date such as 2026-01-31, or a date-time.');
  }
  return text;
}
