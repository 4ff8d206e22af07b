import { OperatorError } from '../../config/operator-error.ts';
import { Command, InvalidArgumentError } from 'commander';
import type { AnyLogReader } from '../../audit/offline/open-log.ts';
import { serviceEvents } from '../../audit/cli/service-events.ts';
import { signedTree } from '../../audit/cli/proofs.ts';
import { isRecordId } from '../../audit/record-ids.ts';
import { placeOfRecord, recorded, type LogFlags } from './audit-recorded.ts';
import { output, printedJson } from '../start/run-command.ts';
import { auditWork, withData, withLog, withLogs } from './audit-work.ts';

const saltLength = 16;

const alarmsHelp = `
One JSON object per line, oldest first: alarms of all teams, full disks, clock changes, audit log interruptions,
and failed proofs. Events that belong to no team are shown only here, not to a team's
auditors. Viewing this list is itself recorded.`;

export function auditAlarmsCommand(): Command {
  return withLog(new Command('alarms'))
    .summary('list the alarms of all teams and of the service itself')
    .addHelpText('after', alarmsHelp)
    .action((flags: LogFlags) =>
      auditWork(async (progress) => {
        await recorded(flags.data, 'listAlarms');
        const events = await withLogs(flags, progress, serviceEvents);
        return output(events, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      }),
    );
}

export function auditRecordCommand(): Command {
  return withData(new Command('record'))
    .summary(
      'show the record with the id given in a response (x-audit-record-id) or on a printed page',
    )
    .argument('<id>', 'record id, 32 hexadecimal digits', recordId)
    .action((id: string, { data }: LogFlags) =>
      auditWork(async (progress) => {
        const { log, seq } = await placeOfRecord(data, id);
        await recorded(data, 'showRecord', { record: id });
        const body = await withLogs({ data }, progress, async (logs) => {
          const one = logs.find((each) => each.identity().logId === log);
          return one && (await bodyOf(one, seq));
        });
        if (body === undefined) {
          throw new OperatorError('No record has this id.');
        }
        const found = { record_id: id, log_id: log, seq, body: JSON.parse(body) as unknown };
        return printedJson(found);
      }),
    );
}

/** Undefined if the log has no such record. @throws AuditBrokenError if it is missing or not the one that was signed */
async function bodyOf(log: AnyLogReader, seq: number): Promise<string | undefined> {
  const { size, tree } = await signedTree(log);
  if (seq >= size) {
    return undefined;
  }
  for await (const item of log.read(seq, seq + 1)) {
    if ('entry' in item) {
      await tree.requireEntries([item]);
      return item.entry.toString('utf8', saltLength);
    }
  }
  return undefined;
}

function recordId(text: string): string {
  if (!isRecordId(text)) {
    throw new InvalidArgumentError('Not a record id: expected 32 hexadecimal digits.');
  }
  return text.toLowerCase();
}
