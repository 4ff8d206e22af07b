import { OperatorError } from '../../config/operator-error.ts';
import { Command, InvalidArgumentError } from 'commander';
import { inFolder, logOfDatabase } from '../../audit/offline/one-log.ts';
import { tellReading } from '../../audit/offline/tell-reading.ts';
import { serviceEvents, serviceEventsOfDatabase } from '../../audit/cli/service-events.ts';
import {
  AuditBrokenError,
  leafHash,
  openCheckpoint,
  parseVerifierKey,
  verifyInclusion,
  type LogReader,
} from '@caregate/audit-log';
import { isRecordId } from '../../audit/record-ids.ts';
import { placeOfRecord, recorded, type LogFlags } from './audit-recorded.ts';
import { told } from '../start/run-command.ts';
import { auditWork, onDatabase, withData, withLog } from './audit-work.ts';

const saltLength = 16;

const alarmsHelp = `
One JSON object per line, oldest first: alarms of all teams, service starts, clock changes, audit log interruptions,
failed proofs, legal holds and retention cuts. Events that belong to no team are shown only here, not to a team's
auditors. Viewing this list is itself recorded.`;

/** `caregate audit alarms`: the alarms of all teams and of the service itself. */
export function auditAlarmsCommand(): Command {
  return withLog(new Command('alarms'))
    .summary('list the alarms of all teams and of the service itself')
    .addHelpText('after', alarmsHelp)
    .action((flags: LogFlags) =>
      auditWork(async (progress) => {
        await recorded(flags.data, 'listAlarms');
        const lines = await onDatabase(
          async (pool) => {
            if (flags.log !== undefined) {
              await logOfDatabase(pool, flags.log);
            }
            return await serviceEventsOfDatabase(pool, flags.log);
          },
          () =>
            inFolder(flags.data, (log) =>
              serviceEvents(
                tellReading(log, (done, of) => {
                  progress.draw('records', done, of);
                }),
              ),
            ),
        );
        const events = lines.split('\n').filter((line) => line !== '');
        return told(
          events.map((line) => JSON.parse(line) as unknown),
          lines,
        );
      }),
    );
}

/** `caregate audit record`: the record with the id of a response or printed page. */
export function auditRecordCommand(): Command {
  return withData(new Command('record'))
    .summary(
      'show the record with the id given in a response (x-audit-record-id) or on a printed page',
    )
    .argument('<id>', 'record id, 32 hexadecimal digits', recordId)
    .action((id: string, { data }: LogFlags) =>
      auditWork(async () => {
        const { log, seq } = await placeOfRecord(data, id);
        await recorded(data, 'showRecord', { record: id });
        const body = await onDatabase(
          async (pool) => {
            const sql = 'select body from audit.audit_event where log_id = $1 and seq = $2';
            return (await pool.query<{ body: string | null }>(sql, [log, seq])).rows[0]?.body;
          },
          () =>
            inFolder(data, (one) =>
              one.identity().logId === log && seq < one.size() ? bodyOf(one, seq) : undefined,
            ),
        );
        if (body === undefined) {
          throw new OperatorError('No record has this id.');
        }
        const record = body === null ? null : (JSON.parse(body) as unknown);
        const found = { record_id: id, log_id: log, seq, body: record };
        return told(found, `${JSON.stringify(found, undefined, 2)}\n`);
      }),
    );
}

/** `null` for a record erased by a retention cut. @throws AuditBrokenError if it is not the one that was signed */
function bodyOf(log: LogReader, seq: number): string | null {
  const entry = log.entry(seq);
  if (entry === undefined) {
    return null;
  }
  const { size, root } = openCheckpoint(
    log.checkpoint(),
    parseVerifierKey(log.identity().verifierKey),
  );
  const text = entry.subarray(saltLength);
  const leaf = leafHash(entry.subarray(0, saltLength), text);
  if (!verifyInclusion(leaf, seq, size, log.inclusion(seq, size), root)) {
    throw new AuditBrokenError('altered', `Record ${seq} is not the one that was signed`, seq);
  }
  return text.toString();
}

function recordId(text: string): string {
  if (!isRecordId(text)) {
    throw new InvalidArgumentError('Not a record id: expected 32 hexadecimal digits.');
  }
  return text.toLowerCase();
}
