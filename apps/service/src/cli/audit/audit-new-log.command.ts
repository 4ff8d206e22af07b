import { Command, InvalidArgumentError } from 'commander';
import { startNewLog, NoAuditLogError } from '@caregate/audit-log';
import { findEvidenceOfLog } from '../../audit/lost-data.ts';
import { members } from '../../audit/audit-record.ts';
import { describeCommandUser } from '../../audit/audit-entries.ts';
import { lockFolder } from '@caregate/data-store/database';
import { readDatabase } from '../../config/read-config.ts';
import { createOutput } from '../common/run-command.ts';
import { runAuditCommand, withData } from './audit-work.ts';
const mostCharacters = 500;

const help = `
For a log that the service refuses, or that audit verify finds altered. Look for the cause first, and put back what is missing from
a backup if you can. Stop the service. The broken log and its key go to audit.broken-TIME in the data folder; with DATABASE_URL the
log stays in the database, and auditors' pages leave it out. The new log has a new signing key, and names the broken one and the
reason: keep its public key in another place. The reason must not name a patient. If the command is interrupted, run it again.`;

interface Flags {
  readonly data?: string;
  readonly reason: string;
}

export function buildAuditNewLogCommand(): Command {
  return withData(new Command('new-log'))
    .summary('archive a broken log and begin another, which names it')
    .requiredOption('--reason <text>', 'why', parseReason)
    .addHelpText('after', help)
    .action(({ data, reason }: Flags) =>
      runAuditCommand(async (progress) => {
        if (data === undefined) {
          throw new NoAuditLogError('Use --data DIR: the folder with the signing key of the log.');
        }
        const lock = lockFolder(data);
        try {
          const options = {
            members,
            actorId: describeCommandUser(),
            reason,
            onProgress: (done: number, total: number) => {
              progress.draw('records read', done, total);
            },
          };
          const postgres = readDatabase(process.env);
          const hadLog = postgres === undefined ? findEvidenceOfLog(data) : undefined;
          const place = { dataDir: data, postgres };
          const { logId, publicKey, archive } = await startNewLog(place, { ...options, hadLog });
          return createOutput(
            { log_id: logId, public_key: publicKey, archive },
            () =>
              `Log ${logId} was begun. What was there is in ${archive}.\nKeep the new public key in another place: ${publicKey}\n`,
          );
        } finally {
          lock.close();
        }
      }),
    );
}

function parseReason(text: string): string {
  if (text.trim() === '' || text.length > mostCharacters) {
    throw new InvalidArgumentError(`Expected a reason of at most ${mostCharacters} characters.`);
  }
  return text;
}
