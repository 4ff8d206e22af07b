import { Command, InvalidArgumentError } from 'commander';
import { NoAuditLogError, acceptBreak } from '@caregate/audit-log';
import { acceptBreakOnPostgres } from '@caregate/audit-log/postgres';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import type { Database } from '../../config/read-config.ts';
import { givenKey } from '../../audit/cli/verify-command.ts';
import { commandEntry } from '../../audit/system-record.ts';
import { output, type Output } from '../start/run-command.ts';
import { auditWork, onDatabase, withData } from './audit-work.ts';

const fewestLetters = 20;
const mostCharacters = 500;

const help = `
For a log that the service refuses to go on with, or that audit verify finds altered. Look for the cause first, and put back
what is missing from a backup if you can. All that is there is set aside in audit/held, where audit verify and audit export read it with --data. A new log begins
under a new signing key; its first record says why you went on and what the old key signed: keep the new public key in another
place. Without the signing key in the data folder, give the public key that you kept elsewhere with --public-key. With
DATABASE_URL the refused log stays in the database, broken; the old key and the kept checkpoints stay in the data folder. Stop
the instances of the data folder first. If the command is interrupted, run it again. The reason must not name a patient.`;

interface Flags {
  readonly data: string;
  readonly reason: string;
  readonly publicKey?: string;
}

type Given = Omit<Parameters<typeof acceptBreak>[1], 'actorId' | 'host' | 'hadLog'>;

export function auditBreakCommand(): Command {
  return withData(new Command('accept-break'))
    .summary('go on with a log that is not as it was left; recorded in the log')
    .requiredOption('--reason <text>', `why, with at least ${fewestLetters} letters`, reasonOf)
    .option(
      '--public-key <key>',
      'public key of the log that was kept elsewhere, or a file with it (default: that of audit-key.pem)',
    )
    .addHelpText('after', help)
    .action(({ data, reason, publicKey }: Flags) =>
      auditWork((progress) => {
        const given: Given = {
          reason,
          ...(publicKey !== undefined && { publicKey: givenKey(publicKey) }),
          onProgress: (done, of) => {
            progress.draw('records read', done, of);
          },
        };
        return onDatabase(
          (_, database) => acceptInDatabase(database, data, given),
          () => acceptInFolder(data, given),
        );
      }),
    );
}

export const actorId = (): string => commandEntry('', {}).actorId ?? 'command line';

async function acceptInFolder(data: string, given: Given): Promise<Output> {
  const { oldSize, logId, heldIn, ...made } = await acceptBreak(data, {
    hadLog: whatShowsALog(data),
    actorId: actorId(),
    ...given,
  });
  const size =
    oldSize === 0
      ? 'Nothing shows how many records it had.'
      : `A key signed ${oldSize} records of it.`;
  return output(
    { old_size: oldSize, log_id: logId, held_in: heldIn, public_key: made.publicKey },
    `The log that was refused is in ${heldIn}. ${size} A new log was begun: ${logId}.\nNew public key: ${made.publicKey}\n`,
  );
}

async function acceptInDatabase(
  database: Database,
  data: string | undefined,
  given: Given,
): Promise<Output> {
  if (data === undefined) {
    throw new NoAuditLogError('Use --data DIR: the folder with the signing key of the log.');
  }
  const logId = await acceptBreakOnPostgres({ ...database, timeoutMs: 60_000 }, data, {
    actorId: actorId(),
    ...given,
  });
  return output(
    { log_id: logId },
    `The log that was refused stays in the database. A new log was begun: ${logId}. Keep its public key in another place: caregate audit public-key.\n`,
  );
}

function reasonOf(text: string): string {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < fewestLetters || text.length > mostCharacters) {
    throw new InvalidArgumentError(
      `Expected a reason with at least ${fewestLetters} letters and at most ${mostCharacters} characters.`,
    );
  }
  return text;
}
