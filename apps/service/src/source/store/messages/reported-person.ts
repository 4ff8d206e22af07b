import type { User, UserInfo } from '@caregate/domain';
import type { LabReport, Refusal } from '../../../hl7/report.ts';
import type { ImportDatabase, PersonKey } from '../import-database.ts';
import { clientKey, erasedAmong } from '../import/erased-people.ts';
import { storedObject } from '../schema.ts';
import type { WaitsFor } from '../waiting-messages.ts';

export interface Waiting {
  readonly kind: 'waiting';
  readonly waitsFor: WaitsFor;
  /** Whom its identifiers name. */
  readonly people: readonly Uint8Array[];
}

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

const ERASED: Refused = {
  kind: 'refused',
  refusal: {
    ...{ ack: 'AE', error: 'unknownKey', segment: 'PID', sequence: 1, field: 3 },
    message: 'The person was erased from this store, and must not be imported again.',
  },
};

/** No client user id has these characters. */
const IN_NO_ID = /[\0\n\p{Surrogate}]/u;

export function clientUserIds({ patient }: LabReport, ofAuthority: string): string[] {
  const ids = patient.ids.flatMap(({ id, authority }) =>
    authority === ofAuthority && id !== '' && !IN_NO_ID.test(id) ? [id] : [],
  );
  return [...new Set(ids)];
}

/** Whose client user id and birth date they are. Nobody is guessed. */
export async function personOf(
  db: Pick<ImportDatabase, 'find'>,
  team: Uint8Array,
  ids: readonly string[],
  birthDate: string | undefined,
): Promise<{ readonly kind: 'known'; readonly person: PersonKey } | Waiting | Refused> {
  if (ids.length === 0) {
    return waiting('no_identifier');
  }
  const keys = ids.map((client_user_id) => ({ team_id: team, client_user_id }));
  const users = await db.find('users', ['user_id', 'body'], keys);
  const [user, ...more] = users;
  if (user === undefined) {
    const erased = await erasedAmong(
      db,
      ids.map((id) => clientKey(team, id)),
    );
    return erased.size > 0 ? ERASED : waiting('unknown_person');
  }
  const people = users.map(({ user_id }) => user_id);
  if (more.length > 0) {
    return waiting('several_people', people);
  }
  if (birthDate === undefined) {
    return waiting('no_birth_date', people);
  }
  const person = { team_id: team, user_id: user.user_id };
  const infos = await db.find('user_infos', ['body'], [person]);
  const known =
    storedObject<UserInfo>(infos.at(-1)?.body ?? '').dob ??
    storedObject<User>(user.body).fallback_birth_date?.value;
  if (known === undefined) {
    return waiting('birth_date_unknown', people);
  }
  return known === birthDate ? { kind: 'known', person } : waiting('birth_date_differs', people);
}

function waiting(waitsFor: WaitsFor, people: readonly Uint8Array[] = []): Waiting {
  return { kind: 'waiting', waitsFor, people };
}
