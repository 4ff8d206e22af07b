import { Command, InvalidArgumentError } from 'commander';
import { createHash } from 'node:crypto';
import { listHeldAccess, type HeldAccess } from '../auth/access-report.ts';
import { formatCsvLine } from '../audit/export/csv.ts';
import { buildBreakGlassCommand } from './break-glass.command.ts';
import { createAction, buildDataCommand, formatTable, type CommandContext } from './command.ts';
import { createOutput, type Output } from './common/run-command.ts';
import type { AuditRecord } from '../audit/audit-record.ts';

const notes = `
Keys that are valid, people who are not disabled, desks that are enrolled, sessions that are open, and emergency accesses that are
open or not reviewed yet. Who gave it is read from the whole audit log, each record proved; of a desk, whoever made an enrolment code
in the ten minutes before. With --sign-off the report is recorded, with the name, the counts and the SHA-256 of its CSV, before it is
printed.`;

interface Options {
  readonly team?: string;
  readonly csv?: true;
  readonly signOff?: string;
}

export function makeCommand(): Command {
  return new Command('access')
    .description('Reports who may read what, and reviews uses of emergency access.')
    .addCommand(buildReportCommand())
    .addCommand(buildBreakGlassCommand());
}

function buildReportCommand(): Command {
  return buildDataCommand(
    'report',
    'list who may what, since when, with its last use and who gave it',
  )
    .option('--team <uuid>', 'only this team')
    .option('--csv', 'print CSV')
    .option(
      '--sign-off <name>',
      'record that this person has reviewed the report',
      parseReviewerName,
    )
    .addHelpText('after', notes)
    .action(
      createAction(async (context, options: Options) => {
        const held = await context.readAccess((store) => listHeldAccess(store, options.team));
        const grantedBy = await findGrantors(context);
        return await report(
          context,
          held.map((each) => toRow(each, grantedBy(each))),
          options,
        );
      }),
    );
}

const CODE_MS = 600_000;
const GRANTED_ID_BY_OPERATION: Readonly<Record<string, (record: AuditRecord) => unknown>> = {
  createKey: ({ key_id: id }) => id,
  rotateKey: ({ key_id: id }) => id,
  staffAdded: ({ details }) => details['staff_id'],
  sessionBegun: ({ session_id: id }) => id,
  breakGlass: ({ break_glass_id: id }) => id,
};

async function findGrantors(context: CommandContext): Promise<(held: HeldAccess) => string | null> {
  const operations = [...Object.keys(GRANTED_ID_BY_OPERATION), 'deskCodeMade'];
  const records = await context.findRecords({ operations });
  const allowed = records.filter(({ decision }) => decision === 'allowed');
  const byId = new Map(
    allowed.map((record) => [
      String(GRANTED_ID_BY_OPERATION[record.operation]?.(record)),
      record.actor_id,
    ]),
  );
  const codes = allowed.filter(({ operation }) => operation === 'deskCodeMade');
  return (held) => {
    if (held.kind !== 'desk') {
      return byId.get(held.id) ?? null;
    }
    const at = held.since.getTime();
    const makers = codes
      .filter(({ team_id: team }) => team === held.teamId)
      .filter(({ recorded_at_us: us }) => us / 1000 <= at && us / 1000 > at - CODE_MS)
      .map(({ actor_id: maker }) => maker);
    return makers.length === 0 ? null : [...new Set(makers)].join(' or ');
  };
}

type Row = Readonly<Record<string, string | null>>;

const FIELDS = 'kind id team_id name may since until last_use given_by'.split(' ');

function toRow(
  { teamId, since, until, lastUse, ...held }: HeldAccess,
  grantedBy: string | null,
): Row {
  return {
    ...{ kind: held.kind, id: held.id, team_id: teamId, name: held.name, may: held.may },
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    last_use: lastUse?.toISOString() ?? null,
    given_by: grantedBy,
  };
}

async function report(
  context: CommandContext,
  rows: readonly Row[],
  { team, csv, signOff }: Options,
): Promise<Output> {
  const cells = rows.map((row) => FIELDS.map((field) => row[field] ?? null));
  const asCsv = [FIELDS, ...cells].map(formatCsvLine).join('');
  if (signOff !== undefined) {
    const sha256 = createHash('sha256').update(asCsv).digest('hex');
    await context.log.record({
      operation: 'accessReviewed',
      team_id: team?.toLowerCase() ?? null,
      record_count: rows.length,
      details: { signed_off_by: signOff, report_sha256: sha256 },
    });
  }
  const header = FIELDS.map((field) => field.replaceAll('_', ' ').toUpperCase());
  const shown = cells.map((row) => row.map((cell) => (cell ?? '-').replaceAll(/\p{C}+/gu, ' ')));
  return createOutput(rows, () => (csv === true ? asCsv : formatTable(header, shown)));
}

function parseReviewerName(text: string): string {
  if (text.trim() === '' || text.length > 100 || /\p{C}/u.test(text)) {
    throw new InvalidArgumentError('Expected a name, of at most 100 characters.');
  }
  return text.trim();
}
