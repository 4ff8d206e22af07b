import type { ImportDatabase } from '../import-database.ts';
import type { StoreSchema } from '../schema.ts';

/** Why a message was put aside, and what to do about it. */
export const WAITS_FOR = {
  no_identifier:
    'The message has no identifier of the authority. Check --authority and --patient-id, or ask the laboratory to send it.',
  unknown_person: 'Nobody of the team has this client user id. Import the person.',
  several_people:
    'The message has the client user ids of several people. Ask the laboratory whose it is.',
  no_birth_date: 'PID-7 has no birth date. Ask the laboratory to send it.',
  birth_date_unknown: 'No birth date of the person is known here. Import it.',
  birth_date_differs:
    'PID-7 is not the birth date known here. Find out which is right; import it, or ask the laboratory to send it.',
  name_differs:
    'Neither the family name nor a given name in PID-5 is one known here. Find out whose the message is; correct the name, or ask the laboratory.',
  order_of_another_person:
    'The order belongs to another person. Ask the laboratory which order it is.',
} as const;

export type WaitsFor = keyof typeof WAITS_FOR;

export type MessageKey = Pick<StoreSchema['hl7_messages'], 'team_id' | 'message_hash'>;

export interface WaitingMessage extends MessageKey {
  readonly received_us: number;
  /** Character set to use if the message declares none. */
  readonly charset: string;
  readonly waitsFor: WaitsFor;
  readonly clientUserIds: readonly string[];
  /** User IDs of the people whom the message named when it was last tried. */
  readonly people: readonly string[];
}

export function splitLines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** Returns the waiting messages of a team, or of all teams if it is undefined, oldest first. */
export async function findWaitingMessages(
  db: Pick<ImportDatabase, 'find'>,
  team?: Uint8Array,
): Promise<WaitingMessage[]> {
  const columns = [
    'team_id',
    'message_hash',
    'received_us',
    'waits_for',
    'client_user_ids',
    'people',
    'charset',
  ] as const;
  const teamFilter = team === undefined ? {} : { team_id: team };
  const keys = Object.keys(WAITS_FOR).map((waits_for) => ({ waits_for, ...teamFilter }));
  const rows = await db.find('hl7_messages', columns, keys);
  return rows
    .map(({ waits_for, client_user_ids, people, ...row }) => ({
      ...row,
      waitsFor: waits_for as WaitsFor,
      clientUserIds: splitLines(client_user_ids),
      people: splitLines(people),
    }))
    .sort((one, other) => one.received_us - other.received_us);
}

export async function readMessageBytes(
  db: Pick<ImportDatabase, 'find'>,
  { team_id, message_hash }: MessageKey,
): Promise<Uint8Array | undefined> {
  const [row] = await db.find('hl7_messages', ['bytes'], [{ team_id, message_hash }]);
  return row?.bytes;
}

export async function forgetMessage(
  db: Pick<ImportDatabase, 'transaction'>,
  { team_id, message_hash }: MessageKey,
): Promise<void> {
  await db.transaction
    .deleteFrom('hl7_messages')
    .where('team_id', '=', team_id)
    .where('message_hash', '=', message_hash)
    .execute();
}
