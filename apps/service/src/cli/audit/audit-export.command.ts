import { instantOfQueryDate, isCalendarDate, isDateTime, isUuid } from '@caregate/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import { AUDIT_DECISIONS, type AuditDecision } from '@caregate/domain';
import { FORMATS, type ExportFormat } from '../../audit/export/export-text.ts';
import { runExport } from '../../audit/export/run-export.ts';
import { runExportPostgres } from '../../audit/export/run-export-postgres.ts';
import { auditWork, onDatabase, withLog } from './audit-work.ts';

const help = `
fhir    R4 AuditEvents, one a line, in the patterns of IHE BALP; one for each patient of a search
csv     a row a record, for a spreadsheet: cells that it would take for formulas begin with an apostrophe
ndjson  what was hashed, for tools/audit-verifier; records that are not asked for stand there as their hashes

With DATABASE_URL: fhir and csv of every log of the database, one after another, or of the one of --log; ndjson of one.

Writes to standard output, or to a new file that its owner alone may read. The export is recorded, with your name on
this machine and what you asked for, and is the last record in it.`;

interface Flags {
  readonly data: string;
  readonly log?: string;
  readonly format: ExportFormat;
  readonly out?: string;
  readonly from?: string;
  readonly to?: string;
  readonly patient?: string;
  readonly team?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly decision?: AuditDecision;
}

/** `caregate audit export`: the log for auditors, spreadsheets and other systems; beside a running service. */
export function auditExportCommand(): Command {
  return withLog(new Command('export'))
    .summary('write the log, or a part of it, as FHIR, CSV or NDJSON')
    .addOption(
      new Option('--format <format>', 'what to write, see below')
        .choices(FORMATS)
        .default('ndjson'),
    )
    .option('--out <file>', 'write to this file, which must not be there yet')
    .option('--from <date>', 'not before this date or date-time', date)
    .option('--to <date>', 'not after this date or date-time', date)
    .option('--patient <uuid>', 'where this user was seen or asked for', uuid)
    .option('--team <uuid>', 'of this team', uuid)
    .option('--actor <id>', 'by this key or person')
    .option('--operation <name>', 'of this operation, e.g. labOrderResult')
    .addOption(new Option('--decision <decision>', 'with this outcome').choices(AUDIT_DECISIONS))
    .addHelpText('after', help)
    .action((flags: Flags) =>
      auditWork(async () => {
        const { data: dataDir, format, out: file, ...asked } = flags;
        const { from, to, log, ...rest } = asked;
        const order = {
          dataDir,
          format,
          file,
          asked,
          filter: {
            ...rest,
            fromUs: from === undefined ? undefined : instantOfQueryDate(from, 'start'),
            toUs: to === undefined ? undefined : instantOfQueryDate(to, 'end'),
          },
          output: process.stdout,
        };
        await onDatabase(
          (pool, url) => runExportPostgres(pool, url, { ...order, log }),
          () => runExport(order),
        );
        return undefined;
      }),
    );
}

function date(text: string): string {
  if (!isCalendarDate(text) && !isDateTime(text)) {
    throw new InvalidArgumentError('Write a date such as 2026-01-31, or a date-time.');
  }
  return text;
}

function uuid(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Write a UUID.');
  }
  return text.toLowerCase();
}
