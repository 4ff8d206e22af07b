import { Command, InvalidArgumentError } from 'commander';
import { listRecords } from '../../audit/read-logs.ts';
import { readLogs } from '../../audit/read-logs.ts';
import { parseRecord, type AuditRecord } from '../../audit/audit-record.ts';
import { isRecordId, RecordIds } from '../../audit/record-ids.ts';
import { ALARM_OPERATIONS } from '../../audit/audit-entries.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { CommandContext } from '../command.ts';
import type { ProgressLine } from '../common/progress-line.ts';
import { createOutput, type Output } from '../common/run-command.ts';
import { runAuditCommand, readRecorded, withLog, type LogFlags } from './audit-work.ts';
import { describeFilter, readFilter, withFilter, type FilterFlags } from './log-filter.ts';

const eventsHelp = `
One JSON object per line, oldest first. --record shows the record with the ID that an answer (x-audit-record-id) or a printed page
has. Viewing the events is itself recorded.`;

type EventFlags = LogFlags & FilterFlags & { readonly record?: string };

export function buildAuditEventsCommand(): Command {
  return withFilter(withLog(new Command('events')))
    .summary('list records of the log, or show one of them')
    .option('--record <id>', 'only the record with this ID, 32 hexadecimal digits', parseRecordId)
    .addHelpText('after', eventsHelp)
    .action((flags: EventFlags) =>
      runAuditCommand(async (progress) => {
        if (flags.record !== undefined) {
          return await showRecord(flags.data, flags.record, progress);
        }
        const reading = { operation: 'listEvents', details: describeFilter(flags) };
        return createLinesOutput(
          await readRecorded(flags, reading, progress, (logs, onRecords) =>
            listRecords(logs, readFilter(flags), { onRecords }),
          ),
        );
      }),
    );
}

async function showRecord(data: string, id: string, progress: ProgressLine): Promise<Output> {
  // Read the log first, since a mistyped folder must not get a new key store.
  await readLogs({ data }, () => undefined);
  const place = await new CommandContext(data, progress).readAccess(async (access) =>
    new RecordIds(await access.secrets.getPermanentSecret()).decrypt(id),
  );
  const reading = { operation: 'showRecord', details: { record: id } };
  const found = await readRecorded({ data }, reading, progress, async (logs) => {
    const log = logs.find(({ identity }) => identity.logId === place?.logId);
    const tree = await log?.tree();
    if (place === undefined || tree === undefined || place.seq >= tree.head.size) {
      throw new OperatorError('No record has this id.');
    }
    return parseRecord((await tree.record(place.seq)).body, place);
  });
  return createLinesOutput([found]);
}

const alarmsHelp = `
One JSON object per line, oldest first: alarms of all teams, clock changes, audit log interruptions, and failed proofs. Events that
belong to no team are shown only here, not to a team's auditors. Viewing this list is itself recorded.`;

export function buildAuditAlarmsCommand(): Command {
  return withLog(new Command('alarms'))
    .summary('list the alarms of all teams and of the service itself')
    .addHelpText('after', alarmsHelp)
    .action((flags: LogFlags) =>
      runAuditCommand(async (progress) => {
        const filter = { operations: ALARM_OPERATIONS };
        return createLinesOutput(
          await readRecorded(flags, { operation: 'listAlarms' }, progress, (logs, onRecords) =>
            listRecords(logs, filter, { onRecords }),
          ),
        );
      }),
    );
}

function createLinesOutput(records: readonly AuditRecord[]): Output {
  return createOutput(records, () =>
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
}

function parseRecordId(text: string): string {
  if (!isRecordId(text)) {
    throw new InvalidArgumentError('Not a record id: expected 32 hexadecimal digits.');
  }
  return text.toLowerCase();
}
