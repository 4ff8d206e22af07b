import { Command, InvalidArgumentError } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openAuditLog } from '../audit/audit-writer.ts';
import { consistencyText, inclusionText } from '../audit/cli/proof-text.ts';
import { commandEntry } from '../audit/cli/system-entry.ts';
import { runVerify, type VerifyFlags } from '../audit/cli/verify-command.ts';
import { auditKeyFile } from '../audit/log/audit-key.ts';
import { AuditReader, NoAuditLogError } from '../audit/log/audit-reader.ts';
import { auditExportCommand } from './audit-export.command.ts';
import {
  auditCutCommand,
  auditHoldCommand,
  auditSegmentsCommand,
} from './audit-retention.command.ts';
import { auditWork, withData } from './audit-work.ts';

const verifyHelp = `
Exit codes: 0 the log holds, 2 altered (the first bad record is named), 3 truncated, 4 forked (not the log that a
checkpoint signed), 5 bad signature, 6 gap (a record is missing), 1 could not be verified, or wrong usage.

Keep a checkpoint (caregate audit checkpoint) and the public key (caregate audit public-key) where whoever runs this
machine cannot change them: only with them does a verification show that nobody rewrote the log as a whole.`;

/** `caregate audit`: verifies the audit log and gives proofs, checkpoints and exports of it; beside a running service. */
export function auditCommand(): Command {
  const audit = new Command('audit').summary('verify, prove and export the audit log');
  withData(audit.command('verify'))
    .summary('recompute the whole log and say whether it holds')
    .option('--from-checkpoint <file>', 'a checkpoint that was kept elsewhere')
    .option('--public-key <key>', 'public key, or a file with it; default that of the data folder')
    .addHelpText('after', verifyHelp)
    .action((flags: VerifyFlags) => auditWork(() => runVerify(flags)));
  withData(audit.command('prove-inclusion'))
    .summary('prove that a record is in the log that a checkpoint signed')
    .argument('<seq>', 'number of the record, from 0', wholeNumber)
    .action((seq: number, flags: DataFlag) =>
      auditWork(async () => {
        await recorded(flags.data, 'proveInclusion', { seq });
        return read(flags.data, (reader) => inclusionText(reader, seq, newest(reader)));
      }),
    );
  withData(audit.command('prove-consistency'))
    .summary('prove that the log of NEW records begins with that of OLD records')
    .argument('<old>', 'size of the older log', wholeNumber)
    .argument('<new>', 'size of the newer log', wholeNumber)
    .action((older: number, size: number, flags: DataFlag) =>
      auditWork(() => read(flags.data, (reader) => consistencyText(reader, older, size))),
    );
  withData(audit.command('checkpoint'))
    .summary('sign the log as it is now, and print the note')
    .action((flags: DataFlag) =>
      auditWork(async () => {
        await recorded(flags.data);
        return read(flags.data, newest);
      }),
    );
  withData(audit.command('public-key'))
    .summary('print the public key that checkpoints are checked with')
    .action((flags: DataFlag) =>
      auditWork(() => read(flags.data, (reader) => `${reader.identity().verifierKey}\n`)),
    );
  audit.addCommand(auditExportCommand());
  audit.addCommand(auditSegmentsCommand());
  audit.addCommand(auditHoldCommand());
  audit.addCommand(auditCutCommand());
  exitWithOneForUsage(audit);
  return audit;
}

interface DataFlag {
  readonly data: string;
}

/**
 * Records what is about to be done with the log, and has it signed. A copy without the private key (an auditor's) can
 * neither be added to nor signed: it is read as it is.
 */
async function recorded(
  data: string,
  operation?: string,
  details: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  // Without this a folder named wrongly would get a log of its own.
  new AuditReader(data).close();
  if (!existsSync(join(data, auditKeyFile))) {
    return;
  }
  const log = await openAuditLog(data);
  try {
    if (operation !== undefined) {
      await log.record(commandEntry(operation, details));
    }
    await log.checkpoint();
  } finally {
    await log.close();
  }
}

function read<T>(data: string, what: (reader: AuditReader) => T): T {
  const reader = new AuditReader(data);
  try {
    return what(reader);
  } finally {
    reader.close();
  }
}

function newest(reader: AuditReader): string {
  const note = reader.checkpoint();
  if (note === undefined) {
    throw new NoAuditLogError('The log has no checkpoint.');
  }
  return note;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/u.test(text)) {
    throw new InvalidArgumentError('It is not the number of a record or a size of the log.');
  }
  return Number(text);
}

/** Here 2 says that the log was altered; so wrong usage, 2 elsewhere, ends with 1, and stays so. */
function exitWithOneForUsage(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 1));
  command.exitOverride = () => command;
  command.commands.forEach(exitWithOneForUsage);
}
