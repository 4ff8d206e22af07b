import { OperatorError } from '../../config/operator-error.ts';
import { Command, InvalidArgumentError } from 'commander';
import { inFolder, logOfDatabase } from '../../audit/offline/one-log.ts';
import { serviceEvents, serviceEventsOfDatabase } from '../../audit/cli/service-events.ts';
import { AuditReader } from '../../audit/log/audit-reader.ts';
import { isRecordId } from '../../audit/record-ids.ts';
import { placeOfRecord, recorded, type LogFlags } from './audit-recorded.ts';
import { auditWork, onDatabase, withData, withLog } from './audit-work.ts';

const alarmsHelp = `
A line of JSON each, the oldest first: alarms of every team, starts of the service, steps of its clock, interruptions of
its log, proofs that failed, legal holds and cuts. What belongs to no team is shown here and to no team's auditor. That
it was looked at is recorded.`;

/** `caregate audit alarms`: what a team's auditor sees of the own team, of all of them, and of the service itself. */
export function auditAlarmsCommand(): Command {
  return withLog(new Command('alarms'))
    .summary('list alarms of all teams, and what concerns the whole service')
    .addHelpText('after', alarmsHelp)
    .action((flags: LogFlags) =>
      auditWork(async () => {
        await recorded(flags.data, 'listAlarms');
        return await onDatabase(
          async (pool) => {
            if (flags.log !== undefined) {
              await logOfDatabase(pool, flags.log);
            }
            return await serviceEventsOfDatabase(pool, flags.log);
          },
          () => {
            const reader = new AuditReader(flags.data);
            try {
              return serviceEvents(reader);
            } finally {
              reader.close();
            }
          },
        );
      }),
    );
}

/** `caregate audit record`: the record behind the id that an answer or a printed page carries. */
export function auditRecordCommand(): Command {
  return withData(new Command('record'))
    .summary('show the record whose id (x-audit-record-id) an answer or a printed page carries')
    .argument('<id>', 'id of the record, 32 hexadecimal digits', recordId)
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
            inFolder(data, (one) => {
              const sql = 'select body from audit_event where seq = ?';
              return one.identity().logId === log
                ? bodyIn(one.db.prepare(sql).get(seq))
                : undefined;
            }),
        );
        if (body === undefined) {
          throw new OperatorError('There is no record with this id.');
        }
        const record = body === null ? null : (JSON.parse(body) as unknown);
        return `${JSON.stringify({ record_id: id, log_id: log, seq, body: record }, undefined, 2)}\n`;
      }),
    );
}

/** `null` for a record of which a retention cut left the hash alone. */
function bodyIn(row: Readonly<Record<string, unknown>> | undefined): string | null | undefined {
  return row === undefined ? undefined : (row['body'] as string | null);
}

function recordId(text: string): string {
  if (!isRecordId(text)) {
    throw new InvalidArgumentError('It is not the id of a record.');
  }
  return text.toLowerCase();
}
