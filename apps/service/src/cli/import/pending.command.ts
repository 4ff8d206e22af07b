import type { Command } from 'commander';
import { OperatorError } from '@caregate/data-store/errors';
import { readMessage } from '@caregate/hl7v2';
import { type MessageKey, MessageStore, formatUuid, WAITS_FOR } from '@caregate/data-store';
import { createAction, buildDataCommand, formatTable, type CommandContext } from '../command.ts';
import { formatAge } from '../common/age-text.ts';
import { sanitizeText } from '../common/printable.ts';
import { createOutput } from '../common/run-command.ts';
import { requireStore } from '../../open-data.ts';

const notes = `
Shows what finds the patient and the message, and nothing else of them: ids in PID-3, sender, control id, and what it waits for. A
message is tried again whenever people of its team are imported, and when it is sent again. It is kept as it was sent until then;
caregate person erase removes those that name the person, and "discard" one whose patient is not the clinic's.`;

type Pending = Awaited<ReturnType<typeof listWaiting>>;

const HEADER = 'ID,RECEIVED,AGE,TEAM,SENDER,CONTROL ID,PID-3,WAITS FOR'.split(',');
const WAIT_MS = 60_000;

/** @param parseTeamId parses a team ID, as the same option of `import` does */
export function buildPendingCommand(parseTeamId: (text: string) => Uint8Array): Command {
  return buildDataCommand('pending', 'list messages of laboratories that were put aside, and why')
    .option('--team <uuid>', 'only this team', parseTeamId)
    .addHelpText('after', notes)
    .action(
      createAction((context, { team }: { team?: Uint8Array }) =>
        withMessages(context, async (store) =>
          createOutput(await listWaiting(store, team), formatPending),
        ),
      ),
    )
    .addCommand(buildDiscardCommand());
}

function formatPending(pending: Pending): string {
  if (pending.length === 0) {
    return 'No messages wait.\n';
  }
  const ages = pending.map((one) => formatAge(Date.now() - Date.parse(one.received_at)));
  const rows = pending.map((one, at) => [
    ...[one.id, one.received_at.slice(0, 16), ages[at] ?? '', one.team_id, one.sender],
    ...[one.control_id, one.client_user_ids.join(' '), one.waits_for],
  ]);
  const reasons = [...new Set(pending.map((one) => one.waits_for))];
  const next = reasons.map((one) => `${one}: ${WAITS_FOR[one]}\n`).join('');
  return `${formatTable(HEADER, rows)}\nThe oldest waits for ${ages[0]}.\n${next}`;
}

function buildDiscardCommand(): Command {
  return buildDataCommand('discard', 'delete a message that waits; it is recorded with the reason')
    .argument('<id>', 'id of the message, from the list of import pending')
    .requiredOption('--reason <text>', 'why its results are not kept, for the audit log')
    .action(
      createAction(async (context, { reason }: { reason: string }, id: string) => {
        if (reason.trim() === '') {
          throw new OperatorError(
            '--reason must say why the results of the message are not kept.',
            2,
          );
        }
        return await withMessages(context, async (store) => {
          const all = await store.listWaiting();
          const [message, ...others] = all.filter((one) => getMessageId(one) === id);
          if (message === undefined || others.length > 0) {
            throw new OperatorError(
              `No message with the id ${sanitizeText(id)} waits. caregate import pending lists the ids.`,
              2,
            );
          }
          const team = formatUuid(message.team_id);
          await store.begin(message.team_id, WAIT_MS);
          try {
            await store.discard(message);
            await context.log.record({
              ...{ operation: 'messageDiscarded', team_id: team, record_count: 1 },
              details: { message: id, reason },
            });
            await store.commit();
          } catch (error) {
            await store.rollback();
            throw error;
          }
          return createOutput({ id, team_id: team }, () => `Discarded message ${id}.\n`);
        });
      }),
    );
}

async function withMessages<T>(
  context: CommandContext,
  work: (store: MessageStore) => Promise<T>,
): Promise<T> {
  requireStore(context.where);
  return await context.withImports((database) => work(new MessageStore(database)), 0);
}

/** A prefix of a hash that nobody can choose, short enough to type. */
function getMessageId({ message_hash }: MessageKey): string {
  return Buffer.from(message_hash).toString('hex').slice(0, 16);
}

async function listWaiting(store: MessageStore, team?: Uint8Array) {
  return await Array.fromAsync(await store.listWaiting(team), async (message) => {
    const read = readMessage(await store.readBytes(message), message.charset);
    const { sendingFacility: sender = '', controlId: control_id = '' } = read.header ?? {};
    return {
      ...{ id: getMessageId(message), team_id: formatUuid(message.team_id), sender, control_id },
      received_at: new Date(message.received_us / 1000).toISOString(),
      ...{ client_user_ids: message.clientUserIds, waits_for: message.waitsFor },
    };
  });
}
