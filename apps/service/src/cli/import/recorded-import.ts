import { randomBytes } from 'node:crypto';
import type { AuditAct } from '../../audit/audit-entries.ts';
import { type ImportReport, KINDS } from '@caregate/data-store';
import type { CommandLog } from '../common/command-log.ts';

/** If there are more teams, only their number is recorded. */
const MOST_TEAMS = 20;

export interface ImportedFile {
  readonly team?: string | undefined;
  readonly digest?: () => string | undefined;
}

/**
 * Runs an import with an audit record before it starts and another before it commits. `run` must await
 * `importFinished`, which records the latter, before it commits. @throws OperatorError if nothing was imported
 */
export async function runRecordedImport(
  log: CommandLog,
  file: ImportedFile,
  run: (beforeCommit: (report: ImportReport) => Promise<void>) => Promise<ImportReport>,
): Promise<ImportReport> {
  const about = { team_id: file.team ?? null, details: { import: randomBytes(4).toString('hex') } };
  const buildFinishedAct = (report: ImportReport): AuditAct => ({
    operation: 'importFinished',
    team_id: file.team ?? (report.teams.length === 1 ? (report.teams[0] ?? null) : null),
    record_count: report.lines,
    details: { ...about.details, ...recordDetails(report, file.digest?.()) },
  });
  await log.record({ operation: 'importStarted', ...about });
  return await log.recordFirst(
    async (record) => {
      const report = await run((acceptable) => record(buildFinishedAct(acceptable)));
      if (!report.imported) {
        await log.record({ ...buildFinishedAct(report), decision: 'invalid' });
      }
      return report;
    },
    { operation: 'importFinished', ...about },
  );
}

function recordDetails(
  { counts, lines, refused, teams }: ImportReport,
  sha256: string | undefined,
): Record<string, string | number> {
  const details: Record<string, string | number> = {
    ...(sha256 !== undefined && { sha256 }),
    lines,
    refused: refused.count,
    teams: teams.length,
    ...(teams.length > 0 && teams.length <= MOST_TEAMS && { team_ids: teams.join(' ') }),
  };
  for (const kind of KINDS) {
    for (const [what, count] of Object.entries(counts[kind])) {
      if (count > 0) {
        details[`${kind}_${what}`] = count;
      }
    }
  }
  return details;
}
