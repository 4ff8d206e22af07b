import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import {
  FolderLock,
  NoAuditLogError,
  type AcceptedBreak,
  acceptBreak,
  logPaths,
  namesOf,
  nodeDisk,
} from '@caregate/audit-log';
import { acceptBreakOnPostgres } from '@caregate/audit-log/postgres';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import { givenKey } from '../../audit/cli/verify-command.ts';
import { commandEntry } from '../../audit/system-record.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { told, type Told } from '../start/run-command.ts';
import { auditWork, onDatabase, withData } from './audit-work.ts';

const fewestLetters = 20;
const mostCharacters = 500;

const help = `
For a log that the service refuses to go on with. Look for the cause first, and put back what is missing from a backup if you
can. All that is there is set aside in audit/held. The records that seals prove are kept, under a new signing key, and a record
says what was refused, what was lost and why you went on: keep the new public key in another place. Seals prove nothing without
the signing key in the data folder, or --public-key with the public key that you kept elsewhere: then nothing is kept, and a
new log begins. With DATABASE_URL the refused log stays in the database, broken, and a new one begins under a new key; the old key
and the kept checkpoints stay in the data folder, and the record has what they, or --public-key, say of the old log. Stop the
instances of the data folder first. If the command is interrupted, run it again. The reason must not name a patient.`;

interface Flags {
  readonly data: string;
  readonly reason: string;
  readonly publicKey?: string;
}

/** `caregate audit accept-break`: goes on with a log that is not as it was left. */
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
      auditWork((progress) =>
        onDatabase(
          async (_, url) => await acceptInDatabase(url, data, { reason, publicKey }),
          () => acceptInFolder(data, { reason, publicKey }, progress),
        ),
      ),
    );
}

const actorId = (): string => commandEntry('', {}).actorId ?? 'command line';

function acceptInFolder(
  data: string,
  { reason, publicKey }: { readonly reason: string; readonly publicKey: string | undefined },
  progress: ProgressLine,
): Told {
  const paths = logPaths(resolve(data));
  const hadLog = whatShowsALog(paths.data);
  if (hadLog === undefined && ![paths.audit, paths.key].some((path) => existsSync(path))) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  nodeDisk.makeFolder(paths.audit);
  const lock = new FolderLock(paths, 500);
  try {
    const options = {
      ...namesOf({}),
      disk: nodeDisk,
      dataDir: paths.data,
      hadLog,
      actorId: actorId(),
      reason,
      onProgress: (what: string, bytes: number, of: number): void => {
        progress.draw(`${what} the log, bytes`, bytes, of);
      },
      ...(publicKey !== undefined && { publicKey: givenKey(publicKey) }),
    };
    return outcome(acceptBreak(options));
  } finally {
    lock.release();
  }
}

function outcome({ kept, total, logId, heldIn, publicKey }: AcceptedBreak): Told {
  const goesOn =
    kept > 0
      ? `${kept} records are kept.`
      : `Nothing is kept: no record is proved by the key. A new log was begun: ${logId}.`;
  const lost =
    total === 0
      ? 'It is not known how many records are lost.'
      : `${total - kept} of ${total} records are not kept.`;
  return told(
    { kept, total, log_id: logId, held_in: heldIn, public_key: publicKey },
    `${lost} ${goesOn} What was there is in ${heldIn}.\nNew public key: ${publicKey}\n`,
  );
}

async function acceptInDatabase(
  url: string,
  data: string | undefined,
  { reason, publicKey }: { readonly reason: string; readonly publicKey: string | undefined },
): Promise<Told> {
  if (data === undefined) {
    throw new NoAuditLogError('Use --data DIR: the folder with the signing key of the log.');
  }
  const logId = await acceptBreakOnPostgres({ url, timeoutMs: 60_000 }, data, {
    actorId: actorId(),
    reason,
    ...(publicKey !== undefined && { publicKey: givenKey(publicKey) }),
  });
  return told(
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
