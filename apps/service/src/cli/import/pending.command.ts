import type { Command } from 'commander';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabaseUrl } from '../../config/read-config.ts';
import { readMessage } from '@caregate/hl7v2';
import {
  type MessageKey,
  MessageStore,
  uuidBytes,
  uuidText,
  WAITS_FOR,
  type WaitsFor,
} from '@caregate/data-store';
import { ageText } from '../start/age-text.ts';
import { base, columns, uuid, type Common } from '../start/access-command.ts';
import { printable } from '../start/printable.ts';
import { CommandLog } from '../start/command-log.ts';
import { output, runCommand } from '../start/run-command.ts';
import { hasStore } from '../start/with-eraser.ts';
import { openImport } from './open-import.ts';

const notes = `
Shows what finds the patient and the message, and nothing else of them: ids in PID-3, sender, control id, and what it waits for. A
message is tried again whenever people of its team are imported, and when it is sent again. It is kept as it was sent until then;
caregate person erase removes those that name the person, and "discard" one whose patient is not the clinic's.`;

export function pendingCommand(): Command {
  return base('pending', 'list messages of laboratories that were put aside, and why')
    .option('--team <uuid>', 'only this team', uuid)
    .addHelpText('after', notes)
    .action((_: unknown, command: Command) =>
      runCommand(async () => {
        const { data = '', team } = command.optsWithGlobals<Common & { readonly team?: string }>();
        return await withMessages(data, async (store) => {
          const pending = await listed(store, team === undefined ? undefined : uuidBytes(team));
          const ages = pending.map((one) => ageText(Date.now() - Date.parse(one.received_at)));
          const rows = pending.map((one, at) => [
            one.id,
            ...[one.received_at.slice(0, 16), ages[at] ?? ''],
            ...[one.team_id, one.sender, one.control_id],
            ...[one.client_user_ids.join(' '), one.waits_for],
          ]);
          const header = [
            ...['ID', 'RECEIVED', 'AGE', 'TEAM', 'SENDER', 'CONTROL ID', 'PID-3', 'WAITS FOR'],
          ];
          const next = [...new Set(pending.map((one) => one.waits_for))];
          const text = `${columns([header, ...rows])}\n\nThe oldest waits for ${ages[0]}.\n${next.map((one) => `${one}: ${WAITS_FOR[one]}`).join('\n')}`;
          return output(pending, `${pending.length === 0 ? 'No messages wait.' : text}\n`);
        });
      }),
    )
    .addCommand(discardCommand());
}

function discardCommand(): Command {
  return base('discard', 'delete a message that waits; it is recorded with the reason')
    .argument('<id>', 'id of the message, from the list of import pending')
    .requiredOption('--reason <text>', 'why its results are not kept, for the audit log')
    .action((id: string, _: unknown, command: Command) =>
      runCommand(async () => {
        const { data = '', reason } = command.optsWithGlobals<
          Common & { readonly reason: string }
        >();
        if (reason.trim() === '') {
          throw new OperatorError(
            '--reason must say why the results of the message are not kept.',
            2,
          );
        }
        return await withMessages(data, async (store) => {
          const all = await store.waiting();
          const [message, ...others] = all.filter((one) => idOf(one) === id);
          if (message === undefined || others.length > 0) {
            throw new OperatorError(
              `No message with the id ${printable(id)} waits. caregate import pending lists the ids.`,
              2,
            );
          }
          const team = uuidText(message.team_id);
          await store.begin(message.team_id, WAIT_MS);
          try {
            await store.discard(message);
            await CommandLog.of(data).record({
              operation: 'messageDiscarded',
              teamId: team,
              recordCount: 1,
              details: { message: id, reason },
            });
            await store.commit();
          } catch (error) {
            await store.rollback();
            throw error;
          }
          return output({ id, team_id: team }, `Discarded message ${id}.\n`);
        });
      }),
    );
}

const WAIT_MS = 60_000;

async function withMessages<T>(
  dataDir: string,
  work: (store: MessageStore) => Promise<T>,
): Promise<T> {
  if (!hasStore({ dataDir, databaseUrl: readDatabaseUrl(process.env) })) {
    throw new OperatorError(`${dataDir} is not a data folder: it has no store.db.`, 2);
  }
  const database = await openImport(dataDir, 0);
  try {
    return await work(new MessageStore(database));
  } finally {
    await database.close();
  }
}

/** Short enough to type, of a hash that nobody can choose. */
function idOf({ message_hash }: MessageKey): string {
  return Buffer.from(message_hash).toString('hex').slice(0, 16);
}

interface Pending {
  readonly id: string;
  readonly team_id: string;
  readonly sender: string;
  readonly control_id: string;
  readonly received_at: string;
  readonly client_user_ids: readonly string[];
  readonly waits_for: WaitsFor;
}

async function listed(store: MessageStore, team: Uint8Array | undefined): Promise<Pending[]> {
  const pending: Pending[] = [];
  for (const message of await store.waiting(team)) {
    const read = readMessage(await store.bytesOf(message), message.charset);
    const { sendingFacility: sender = '', controlId: control_id = '' } = read.header ?? {};
    pending.push({
      id: idOf(message),
      ...{ team_id: uuidText(message.team_id), sender, control_id },
      received_at: new Date(message.received_us / 1000).toISOString(),
      ...{ client_user_ids: message.clientUserIds, waits_for: message.waitsFor },
    });
  }
  return pending;
}
