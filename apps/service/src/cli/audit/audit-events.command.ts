import { Command, InvalidArgumentError } from 'commander';
import { serviceEvents } from '../../audit/cli/service-events.ts';
import { recordsOf } from '../../audit/export/records.ts';
import { inFolder } from '../../audit/offline/open-log.ts';
import { parseRecord, type RecordBody } from '../../audit/record/record-body.ts';
import { isRecordId, RecordIds } from '../../audit/record-ids.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { withAccess } from '../start/open-access.ts';
import { output, type Output } from '../start/run-command.ts';
import { recorded } from './audit-recorded.ts';
import { auditWork, onDatabase, withLog, withLogs, type LogFlags } from './audit-work.ts';
import { describeFilter, readFilter, withFilter, type FilterFlags } from './log-filter.ts';
import type { ProgressLine } from '../start/progress-line.ts';

const eventsHelp = `
One JSON object per line, oldest first. --record shows the record with the ID that an answer (x-audit-record-id) or a printed page
has. Viewing the events is itself recorded.`;

type EventFlags = LogFlags & FilterFlags & { readonly record?: string };

export function auditEventsCommand(): Command {
  return withFilter(withLog(new Command('events')))
    .summary('list records of the log, or show one of them')
    .option('--record <id>', 'only the record with this ID, 32 hexadecimal digits', recordId)
    .addHelpText('after', eventsHelp)
    .action((flags: EventFlags) =>
      auditWork(async (progress) =>
        flags.record === undefined
          ? await listEvents(flags, progress)
          : await showRecord(flags, flags.record, progress),
      ),
    );
}

async function listEvents(flags: EventFlags, progress: ProgressLine): Promise<Output> {
  await recorded(flags.data, 'listEvents', describeFilter(flags));
  const found = await withLogs(flags, progress, (logs, onRecords) =>
    recordsOf(logs, readFilter(flags), onRecords),
  );
  return asLines(found);
}

async function showRecord(flags: LogFlags, id: string, progress: ProgressLine): Promise<Output> {
  const place = await findPlace(flags.data, id);
  await recorded(flags.data, 'showRecord', { record: id });
  const found = await withLogs({ data: flags.data }, progress, async (logs) => {
    const log = logs.find(({ identity }) => identity.logId === place?.logId);
    const tree = await log?.tree();
    if (place === undefined || tree === undefined || place.seq >= tree.head.size) {
      throw new OperatorError('No record has this id.');
    }
    return parseRecord((await tree.record(place.seq)).body, place);
  });
  return asLines([found]);
}

async function findPlace(data: string, id: string): Promise<ReturnType<RecordIds['receiptOf']>> {
  await onDatabase(
    () => Promise.resolve(),
    // A mistyped folder must not get a new key store.
    () => inFolder(data, () => undefined),
  );
  return await withAccess(data, async (access) =>
    new RecordIds(await access.secrets.permanent()).receiptOf(id),
  );
}

function asLines(records: readonly (RecordBody | object)[]): Output {
  return output(records, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

const alarmsHelp = `
One JSON object per line, oldest first: alarms of all teams, clock changes, audit log interruptions, and failed proofs. Events that
belong to no team are shown only here, not to a team's auditors. Viewing this list is itself recorded.`;

export function auditAlarmsCommand(): Command {
  return withLog(new Command('alarms'))
    .summary('list the alarms of all teams and of the service itself')
    .addHelpText('after', alarmsHelp)
    .action((flags: LogFlags) =>
      auditWork(async (progress) => {
        await recorded(flags.data, 'listAlarms');
        return asLines(await withLogs(flags, progress, serviceEvents));
      }),
    );
}

function recordId(text: string): string {
  if (!isRecordId(text)) {
    throw new InvalidArgumentError('Not a record id: expected 32 hexadecimal digits.');
  }
  return text.toLowerCase();
}
