import { Command, InvalidArgumentError } from 'commander';
import { inFolder, logOfDatabase, type OneLog } from '../../audit/offline/one-log.ts';
import { consistencyText, inclusionText } from '../../audit/cli/proof-text.ts';
import { runVerify, type VerifyFlags } from '../../audit/cli/verify-command.ts';
import {
  runVerifyPostgres,
  type VerifyLogsFlags,
} from '../../audit/cli/verify-postgres-command.ts';
import { isRecordId } from '../../audit/record-ids.ts';
import { listLogs } from '../../audit/postgres/log-reader.ts';
import type { Queryable } from '../../audit/postgres/stored-tree.ts';
import { auditExportCommand } from './audit-export.command.ts';
import { placeOfRecord, recorded, type LogFlags } from './audit-recorded.ts';
import { auditAlarmsCommand, auditRecordCommand } from './audit-records.command.ts';
import {
  auditCutCommand,
  auditHoldCommand,
  auditSegmentsCommand,
} from './audit-retention.command.ts';
import { auditWork, inFoldersAlone, onDatabase, withLog } from './audit-work.ts';

const verifyHelp = `
Exit codes: 0 the log holds, 2 altered (the first bad record is named), 3 truncated, 4 forked (not the log that a
checkpoint signed), 5 bad signature, 6 gap (a record is missing), 1 could not be verified, or wrong usage.

With DATABASE_URL every log of the database is verified, or the one of --log; the files may hold a checkpoint and a key
of each. A log that one of them names and that is not there is told as truncated.

Keep a checkpoint (caregate audit checkpoint) and the public key (caregate audit public-key) where whoever runs this
machine cannot change them: only with them does a verification show that nobody rewrote the log as a whole.`;

/** `caregate audit`: verifies the audit log and gives proofs, checkpoints and exports of it; beside a running service. */
export function auditCommand(): Command {
  const audit = new Command('audit').summary('verify, prove and export the audit log');
  withLog(audit.command('verify'))
    .summary('recompute the whole log, or every log of a database, and say whether it holds')
    .option('--from-checkpoint <file>', 'a checkpoint that was kept elsewhere')
    .option('--public-key <key>', 'public key, or a file with it; default that of the data folder')
    .addHelpText('after', verifyHelp)
    .action((flags: VerifyFlags & VerifyLogsFlags) =>
      auditWork(() =>
        onDatabase<number>(
          (pool) => runVerifyPostgres(pool, flags),
          () => runVerify(flags),
        ),
      ),
    );
  withLog(audit.command('prove-inclusion'))
    .summary('prove that a record is in the log that a checkpoint signed')
    .argument('<record>', 'number of the record, from 0, or its id', recordOrNumber)
    .action((record: number | string, flags: LogFlags) =>
      auditWork(async () => {
        const { seq, ...named } =
          typeof record === 'number'
            ? { seq: record, log: flags.log }
            : await placeOfRecord(flags.data, record);
        const log = named.log === undefined ? {} : { log: named.log };
        await recorded(flags.data, 'proveInclusion', { seq, ...log });
        const of = { ...flags, ...log };
        return await read(of, async (one) => inclusionText(one, seq, await one.newest()));
      }),
    );
  withLog(audit.command('prove-consistency'))
    .summary('prove that the log of NEW records begins with that of OLD records')
    .argument('<old>', 'size of the older log', wholeNumber)
    .argument('<new>', 'size of the newer log', wholeNumber)
    .action((older: number, size: number, flags: LogFlags) =>
      auditWork(() => read(flags, (log) => consistencyText(log, older, size))),
    );
  withLog(audit.command('checkpoint'))
    .summary(
      'sign the log as it is now, and print the note; of a database, each log as its instance signed it last',
    )
    .action((flags: LogFlags) =>
      auditWork(() =>
        onDatabase(
          (pool) => ofEach(pool, flags.log, (log) => log.newest()),
          async () => {
            await recorded(flags.data);
            return await inFolder(flags.data, (log) => log.newest());
          },
        ),
      ),
    );
  withLog(audit.command('public-key'))
    .summary('print the public key that checkpoints are checked with')
    .action((flags: LogFlags) =>
      auditWork(() =>
        onDatabase(
          (pool) => ofEach(pool, flags.log, keyLine),
          () => inFolder(flags.data, keyLine),
        ),
      ),
    );
  audit.addCommand(auditAlarmsCommand());
  audit.addCommand(auditRecordCommand());
  audit.addCommand(auditExportCommand());
  audit.addCommand(inFoldersAlone(auditSegmentsCommand()));
  audit.addCommand(inFoldersAlone(auditHoldCommand()));
  audit.addCommand(inFoldersAlone(auditCutCommand()));
  exitWithOneForUsage(audit);
  return audit;
}

function read(flags: LogFlags, what: (log: OneLog) => Promise<string>): Promise<string> {
  return onDatabase(
    async (pool) => what(await logOfDatabase(pool, flags.log)),
    () => inFolder(flags.data, what),
  );
}

/** Of every log, one after another, or of the one that is named. */
async function ofEach(
  pool: Queryable,
  logId: string | undefined,
  what: (log: OneLog) => string | Promise<string>,
): Promise<string> {
  const ids = logId === undefined ? (await listLogs(pool)).map((log) => log.logId) : [logId];
  const texts: string[] = [];
  for (const id of ids) {
    texts.push(await what(await logOfDatabase(pool, id)));
  }
  return texts.join('');
}

function keyLine(log: OneLog): string {
  return `${log.identity().verifierKey}\n`;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/u.test(text)) {
    throw new InvalidArgumentError('It is not the number of a record or a size of the log.');
  }
  return Number(text);
}

function recordOrNumber(text: string): number | string {
  return isRecordId(text) ? text : wholeNumber(text);
}

/** Here 2 says that the log was altered; so wrong usage, 2 elsewhere, ends with 1, and stays so. */
function exitWithOneForUsage(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 1));
  command.exitOverride = () => command;
  command.commands.forEach(exitWithOneForUsage);
}
