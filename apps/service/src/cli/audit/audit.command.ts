import { Command } from 'commander';
import {
  AuditUnavailableError,
  NoAuditLogError,
  rotateKey,
  SigningKey,
  type LogReader,
} from '@caregate/audit-log';
import { join } from 'node:path';
import { verifyLogs, type VerifyFlags } from './verify-logs.ts';
import { readLogs } from '../../audit/read-logs.ts';
import { describeCommandUser } from '../../audit/audit-entries.ts';
import { members } from '../../audit/audit-record.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { readDatabase } from '../../config/read-config.ts';
import { parseFileToRead } from '../../config/run-as.ts';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { createOutput, print, runCommand, type Outcome } from '../common/run-command.ts';
import { buildAuditAlarmsCommand, buildAuditEventsCommand } from './audit-events.command.ts';
import { buildAuditExportCommand } from './audit-export.command.ts';
import { buildAuditNewLogCommand } from './audit-new-log.command.ts';
import { runAuditCommand, withData, withLog, type LogFlags } from './audit-work.ts';

const verifyHelp = `
Exit codes: 0 verified, 1 could not be verified or usage error, 2 altered (the first altered record is reported),
3 truncated, 4 forked (the log differs from the one that a checkpoint signed), 5 bad signature, 6 gap (a record is
missing).

With DATABASE_URL, all logs of the database are verified, or the one given by --log; the files may contain a checkpoint
and a public key for each log. A log that is named in them but missing from the database is reported as truncated.

Keep a checkpoint (caregate audit checkpoint) and the public key (caregate audit public-key) in a place that the
operators of this machine cannot change. Without the key, a log rewritten with another one passes
verification; without a checkpoint, an earlier state of the whole log.`;

export function makeCommand(): Command {
  const audit = new Command('audit').summary('verify and export the audit log');
  withLog(audit.command('verify'))
    .summary('verify the whole log, or all logs of a database')
    .option('--checkpoint <file>', 'file with a checkpoint kept elsewhere', parseFileToRead)
    .option(
      '--public-key <file>',
      'file with a public key kept elsewhere, or the key itself',
      parseFileToRead,
    )
    .addHelpText('after', verifyHelp)
    .action((flags: VerifyFlags) =>
      runAuditCommand(async (progress) => {
        const found = await verifyLogs(flags, (done, total) => {
          progress.draw('records', done, total);
        });
        progress.clear();
        for (const { json, text, exitCode } of found) {
          const finding = createOutput(json, () => text);
          print(finding, exitCode === 0 ? process.stdout : process.stderr);
        }
        return found.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
      }),
    );
  withLog(audit.command('checkpoint'))
    .summary('print the newest signed checkpoint of the log, or of each log of a database')
    .action((flags: LogFlags) =>
      runAuditCommand(async () => {
        const checkpoints = await readEach(flags, async (log) => (await log.tree()).checkpoint);
        return createOutput({ checkpoints }, () => checkpoints.join(''));
      }),
    );
  withLog(audit.command('public-key'))
    .summary('print the public key that verifies checkpoints')
    .action((flags: LogFlags) =>
      runAuditCommand(async () => {
        const keys = await readEach(flags, ({ identity }) => identity.publicKey);
        return createOutput({ public_keys: keys }, () => keys.map((key) => `${key}\n`).join(''));
      }),
    );
  audit.addCommand(buildAuditEventsCommand());
  audit.addCommand(buildAuditAlarmsCommand());
  audit.addCommand(buildAuditExportCommand());
  audit.addCommand(buildAuditNewLogCommand());
  audit.addCommand(buildAuditRotateKeyCommand());
  exitWithOneForUsage(audit);
  return audit;
}

/** Reads the logs one after the other, since those of a database share a connection. */
async function readEach(
  flags: LogFlags,
  what: (log: LogReader) => string | Promise<string>,
): Promise<string[]> {
  return await readLogs(flags, (logs) => Array.fromAsync(logs, what));
}

/** Usage errors exit with 1 here, since an exit code of 2 means an altered log. */
function exitWithOneForUsage(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 1));
  command.exitOverride = () => command;
  command.commands.forEach(exitWithOneForUsage);
}

const rotateHelp = `
The old key signs a record that names the new one: the log goes on without a break, and whoever knows one of the two public keys can
verify all of it. A new key is made, and the old one is replaced. The service can keep running.

With CAREGATE_AUDIT_KEY_FILE put the new key beside the old one first, readable by the service's user alone:
  openssl genpkey -algorithm ed25519 -out FILE.next
Afterwards put it in its place (mv FILE.next FILE). Until then the service takes either.

Exit codes: 0 done, 1 not confirmed: either key may sign, which the next start finds out, 2 refused; nothing was changed.`;

function buildAuditRotateKeyCommand(): Command {
  return withData(new Command('rotate-key'))
    .summary('replace the signing key of the log, without a break; recorded in the log')
    .addHelpText('after', rotateHelp)
    .action(({ data }: { readonly data?: string }) =>
      runCommand(() =>
        rotate(data).catch((error: unknown) => {
          throw toRotationError(error);
        }),
      ),
    );
}

async function rotate(data: string | undefined): Promise<Outcome> {
  if (data === undefined) {
    throw new NoAuditLogError('Use --data DIR: the folder with the signing key of the log.');
  }
  const place = { dataDir: data, postgres: readDatabase(process.env) };
  const { publicKey } = await rotateKey(place, describeCommandUser(), { members });
  const next =
    new SigningKey(data).file === join(data, 'audit-key.pem')
      ? ''
      : 'The key is outside the data folder: put the new one in the place of the old one now (mv FILE.next FILE).\n';
  return createOutput(
    { public_key: publicKey },
    () =>
      `The log goes on under a new signing key. Keep its public key in another place:\n${publicKey}\n${next}`,
  );
}

/** Nothing was changed, unless the log didn't confirm the change. */
function toRotationError(error: unknown): unknown {
  const operatorError = toOperatorError(error);
  return operatorError instanceof OperatorError && !(error instanceof AuditUnavailableError)
    ? new OperatorError(operatorError.message, 2, error)
    : operatorError;
}
