import type { Command } from 'commander';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabaseUrl } from '../../config/read-config.ts';
import { readMessage } from '../../hl7/read-message.ts';
import { MessageStore } from '../../source/store/messages/message-store.ts';
import { WAITS_FOR, type WaitsFor } from '../../source/store/waiting-messages.ts';
import { uuidBytes, uuidText } from '../../source/store/schema.ts';
import { base, columns, uuid, type Common } from '../start/access-command.ts';
import { output, runCommand } from '../start/run-command.ts';
import { hasStore } from '../start/with-eraser.ts';
import { openImport } from './open-import.ts';

const notes = `
Shows what finds the patient and the message, and nothing else of them: ids in PID-3, sender, control id, and what it waits for. A
message is tried again whenever people of its team are imported, and when it is sent again. It is kept as it was sent until then;
caregate person erase removes those that name the person.`;

export function pendingCommand(): Command {
  return base('pending', 'list messages of laboratories that were put aside, and why')
    .option('--team <uuid>', 'only this team', uuid)
    .addHelpText('after', notes)
    .action((_: unknown, command: Command) =>
      runCommand(async () => {
        const { data = '', team } = command.optsWithGlobals<Common & { readonly team?: string }>();
        const where = { dataDir: data, databaseUrl: readDatabaseUrl(process.env) };
        if (!hasStore(where)) {
          throw new OperatorError(`${data} is not a data folder: it has no store.db.`, 2);
        }
        const database = await openImport(data, 0);
        try {
          const pending = await listed(
            new MessageStore(database),
            team === undefined ? undefined : uuidBytes(team),
          );
          const rows = pending.map((one) => [
            one.received_at.slice(0, 16),
            ...[one.team_id, one.sender, one.control_id],
            ...[one.client_user_ids.join(' '), one.waits_for],
          ]);
          const header = ['RECEIVED', 'TEAM', 'SENDER', 'CONTROL ID', 'PID-3', 'WAITS FOR'];
          const next = [...new Set(pending.map((one) => one.waits_for))];
          const text = `${columns([header, ...rows])}\n\n${next.map((one) => `${one}: ${WAITS_FOR[one]}`).join('\n')}`;
          return output(pending, `${pending.length === 0 ? 'No messages wait.' : text}\n`);
        } finally {
          await database.close();
        }
      }),
    );
}

interface Pending {
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
    const read = readMessage(await store.bytesOf(message));
    const { sendingFacility: sender = '', controlId: control_id = '' } = read.header ?? {};
    pending.push({
      ...{ team_id: uuidText(message.team_id), sender, control_id },
      received_at: new Date(message.received_us / 1000).toISOString(),
      ...{ client_user_ids: message.clientUserIds, waits_for: message.waitsFor },
    });
  }
  return pending;
}
