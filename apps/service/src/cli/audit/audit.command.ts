import { Command, InvalidArgumentError } from 'commander';
import {
  inFolder,
  logOfDatabase,
  openLog,
  type AnyLogReader,
} from '../../audit/offline/open-log.ts';
import { consistencyProof, inclusionProof } from '../../audit/cli/proofs.ts';
import { runVerify, type VerifyFlags } from '../../audit/cli/verify-command.ts';
import {
  runVerifyPostgres,
  type VerifyLogsFlags,
} from '../../audit/cli/verify-postgres-command.ts';
import { indexedMembers } from '../../audit/record/record-body.ts';
import { isRecordId } from '../../audit/record-ids.ts';
import { existsSync } from 'node:fs';
import {
  AuditUnavailableError,
  FolderIndex,
  logPaths,
  NoAuditLogError,
  rotateKey,
} from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { PostgresLogReader, rotateKeyOnPostgres } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { auditExportCommand } from './audit-export.command.ts';
import { placeOfRecord, recorded, type LogFlags } from './audit-recorded.ts';
import { actorId, auditNewLogCommand } from './audit-new-log.command.ts';
import { auditAlarmsCommand, auditRecordCommand } from './audit-records.command.ts';
import { auditWork, onDatabase, withData, withLog } from './audit-work.ts';
import {
  operatorError,
  output,
  printedJson,
  runCommand,
  type Outcome,
} from '../start/run-command.ts';

const verifyHelp = `
Exit codes: 0 verified, 1 could not be verified or usage error, 2 altered (the first altered record is reported),
3 truncated, 4 forked (the log differs from the one that a checkpoint signed), 5 bad signature, 6 gap (a record is
missing).

With DATABASE_URL, all logs of the database are verified, or the one given by --log; the files may contain a checkpoint
and a public key for each log. A log that is named in them but missing from the database is reported as truncated.
With --data too, the checkpoints that the instances of that folder kept are compared with their logs.

Keep a checkpoint (caregate audit checkpoint) and the public key (caregate audit public-key) in a place that the
operators of this machine cannot change. Without the key, a log rewritten with another one passes
verification; without a checkpoint, an earlier state of the whole folder.`;

export function auditCommand(): Command {
  const audit = new Command('audit').summary('verify, prove and export the audit log');
  withLog(audit.command('verify'))
    .summary('verify the whole log, or all logs of a database')
    .option('--from-checkpoint <file>', 'file with a checkpoint kept elsewhere')
    .option(
      '--public-key <key>',
      'public key, or a file with it (default: the key in the data folder)',
    )
    .option('--json', 'print JSON; of a database, a line for each log')
    .addHelpText('after', verifyHelp)
    .action((flags: VerifyFlags & VerifyLogsFlags) =>
      auditWork((progress) => {
        const onProgress = (done: number, of?: number): void => {
          progress.draw('records', done, of);
        };
        const watched = { ...flags, onProgress, onEnd: progress.clear };
        return onDatabase(
          (pool) => runVerifyPostgres(pool, watched),
          () => runVerify(watched),
        );
      }),
    );
  withLog(audit.command('prove-inclusion'))
    .summary('prove that a record is in the signed log')
    .argument('<record>', 'record number, starting at 0, or record id', recordOrNumber)
    .action((record: number | string, flags: LogFlags) =>
      auditWork(async () => {
        const { seq, ...named } =
          typeof record === 'number'
            ? { seq: record, log: flags.log }
            : await placeOfRecord(flags.data, record);
        const log = named.log === undefined ? {} : { log: named.log };
        await recorded(flags.data, 'proveInclusion', { seq, ...log });
        const of = { ...flags, ...log };
        return printedJson(await read(of, (one) => inclusionProof(one, seq)));
      }),
    );
  withLog(audit.command('prove-consistency'))
    .summary('prove that the log of size NEW extends the log of size OLD')
    .argument('<old>', 'size of the older log', wholeNumber)
    .argument('<new>', 'size of the newer log', wholeNumber)
    .action((older: number, size: number, flags: LogFlags) =>
      auditWork(async () =>
        printedJson(await read(flags, (log) => consistencyProof(log, older, size))),
      ),
    );
  withLog(audit.command('checkpoint'))
    .summary(
      'sign the current log and print the checkpoint; for a database, print the latest checkpoint of each log',
    )
    .action((flags: LogFlags) =>
      auditWork(async () => {
        const checkpoints = await onDatabase(
          (pool) => ofEach(pool, flags.log, (log) => log.checkpoint()),
          async () => {
            await recorded(flags.data);
            return [await inFolder(flags.data, (log) => log.checkpoint())];
          },
        );
        return output({ checkpoints }, checkpoints.join(''));
      }),
    );
  withLog(audit.command('public-key'))
    .summary('print the public key that verifies checkpoints')
    .action((flags: LogFlags) =>
      auditWork(async () => {
        const keys = await onDatabase(
          (pool) => ofEach(pool, flags.log, keyOf),
          async () => [await inFolder(flags.data, keyOf)],
        );
        return output({ public_keys: keys }, keys.map((key) => `${key}\n`).join(''));
      }),
    );
  audit.addCommand(auditAlarmsCommand());
  audit.addCommand(auditRecordCommand());
  audit.addCommand(auditExportCommand());
  audit.addCommand(auditReindexCommand());
  audit.addCommand(auditNewLogCommand());
  audit.addCommand(auditRotateKeyCommand());
  exitWithOneForUsage(audit);
  return audit;
}

function read(flags: LogFlags, what: (log: AnyLogReader) => Promise<object>): Promise<object> {
  return onDatabase(
    async (pool) => what(await logOfDatabase(pool, flags.log)),
    () => inFolder(flags.data, what),
  );
}

async function ofEach(
  pool: pg.Pool,
  logId: string | undefined,
  what: (log: AnyLogReader) => string | Promise<string>,
): Promise<string[]> {
  const ids =
    logId === undefined
      ? (await PostgresLogReader.all(pool)).map((log) => log.identity().logId)
      : [logId];
  const texts: string[] = [];
  for (const id of ids) {
    texts.push(await what(await logOfDatabase(pool, id)));
  }
  return texts;
}

async function keyOf(log: AnyLogReader): Promise<string> {
  return (await log.keys()).current.text;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/u.test(text)) {
    throw new InvalidArgumentError('Expected a whole number: a record number or a log size.');
  }
  return Number(text);
}

function recordOrNumber(text: string): number | string {
  return isRecordId(text) ? text : wholeNumber(text);
}

/** Exit code 2 means an altered log here, so usage errors, 2 elsewhere, are 1. */
function exitWithOneForUsage(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 1));
  command.exitOverride = () => command;
  command.commands.forEach(exitWithOneForUsage);
}

const rotateHelp = `
The old key signs a record that names the new one, which signs it too: the log goes on without a break, and whoever knows one of the
two public keys can verify all of it. A new key is made, and the old one is deleted. The service can keep running. With
DATABASE_URL stop the instances of the data folder first: all logs of its key go on under the new one; instances with other data
folders have keys of their own.

With CAREGATE_AUDIT_KEY_FILE put the new key beside the old one first, readable by the service's user alone:
  openssl genpkey -algorithm ed25519 -out FILE.next
Afterwards put it in its place (mv FILE.next FILE). Until then the service takes either.

Exit codes: 0 done, 1 not confirmed: either key may sign, which the next start finds out, 2 refused; nothing was changed.`;

function auditRotateKeyCommand(): Command {
  return withData(new Command('rotate-key'))
    .summary('replace the signing key of the log, without a break; recorded in the log')
    .addHelpText('after', rotateHelp)
    .action(({ data }: { readonly data?: string }) =>
      runCommand(() =>
        rotate(data).catch((error: unknown) => {
          throw refusal(error);
        }),
      ),
    );
}

async function rotate(data: string | undefined): Promise<Outcome> {
  if (data === undefined) {
    throw new NoAuditLogError('Use --data DIR: the folder with the signing key of the log.');
  }
  const keys = await onDatabase(
    (_, database) => rotateKeyOnPostgres({ ...database, timeoutMs: 60_000 }, data, actorId()),
    async () => [await rotateKey(data, actorId())],
  );
  const place = existsSync(logPaths(data).ownKey)
    ? ''
    : 'The key is outside the data folder: put the new one in the place of the old one now (mv FILE.next FILE).\n';
  return output(
    { public_keys: keys },
    `The log goes on under a new signing key. Keep its public key in another place:\n${keys.join('\n')}\n${place}`,
  );
}

/** Nothing was changed, unless the log did not confirm the change. */
function refusal(error: unknown): unknown {
  const known = operatorError(error);
  return known instanceof OperatorError && !(error instanceof AuditUnavailableError)
    ? new OperatorError(known.message, 2, error)
    : known;
}

function auditReindexCommand(): Command {
  return withData(new Command('reindex'))
    .summary('make the index of the log again; the service can keep running')
    .addHelpText(
      'after',
      '\nThe index only finds records. What is shown is always read from the log, and proofs never use the index.',
    )
    .action(({ data }: { readonly data: string }) =>
      auditWork(async (progress) => {
        const log = openLog(data);
        try {
          const indexed = await FolderIndex.rebuild(data, log, indexedMembers, (done, of) => {
            progress.draw('records', done, of);
          });
          return output({ indexed }, `${indexed} records were indexed.\n`);
        } finally {
          log.close();
        }
      }),
    );
}
