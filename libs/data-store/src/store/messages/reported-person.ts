import type { User, UserInfo } from '@caregate/domain';
import type { LabReport, Refusal, ReportedId, ReportedPatient } from '@caregate/hl7v2';
import { splitWords } from '../../people/name-text.ts';
import type { PersonFact, PersonFacts } from '../../people/person-facts.ts';
import type { ImportDatabase } from '../import-database.ts';
import { type PersonKey, parseStoredObject } from '../schema.ts';
import { buildClientKey, findErased } from '../import/erased-people.ts';
import type { WaitsFor } from './waiting-messages.ts';

export interface Waiting {
  readonly kind: 'waiting';
  readonly waitsFor: WaitsFor;
  /** User IDs of the people whom the message's identifiers name. */
  readonly people: readonly Uint8Array[];
}

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export const ERASED: Refused = {
  kind: 'refused',
  refusal: {
    ...{ ack: 'AE', error: 'unknownKey', segment: 'PID', sequence: 1, field: 3 },
    message: 'The person was erased from this store, and must not be imported again.',
  },
};

/** Characters that no client user ID contains. */
const INVALID_ID_CHARACTERS = /[\0\n\p{Surrogate}]/u;

/** Which patient identifiers of a message are client user IDs. */
export interface PatientId {
  readonly field: ReportedId['field'];
  /** The assigning authority. */
  readonly authority: string;
  /** Whether identifiers without an assigning authority are client user IDs, too. */
  readonly withoutAuthority: boolean;
}

export function listClientUserIds({ patient }: LabReport, patientId: PatientId): string[] {
  const ids = patient.ids.filter(
    ({ id, authority, field }) =>
      field === patientId.field &&
      (authority === '' ? patientId.withoutAuthority : authority === patientId.authority) &&
      id !== '' &&
      !INVALID_ID_CHARACTERS.test(id),
  );
  return [...new Set(ids.map(({ id }) => id))];
}

/** Finds the person by client user ID and birth date. If a name is known, it must agree, too. Never guesses. */
export async function findPerson(
  db: Pick<ImportDatabase, 'find'>,
  team: Uint8Array,
  ids: readonly string[],
  { birthDate, names }: ReportedPatient,
): Promise<{ readonly kind: 'known'; readonly person: PersonKey } | Waiting | Refused> {
  if (ids.length === 0) {
    return createWaiting('no_identifier');
  }
  const keys = ids.map((client_user_id) => ({ team_id: team, client_user_id }));
  const users = await db.find('users', ['user_id', 'body'], keys);
  const [user, ...more] = users;
  if (user === undefined) {
    const erased = await findErased(
      db,
      ids.map((id) => buildClientKey(team, id)),
    );
    return erased.size > 0 ? ERASED : createWaiting('unknown_person');
  }
  const people = users.map(({ user_id }) => user_id);
  if (more.length > 0) {
    return createWaiting('several_people', people);
  }
  if (birthDate === undefined) {
    return createWaiting('no_birth_date', people);
  }
  const person = { team_id: team, user_id: user.user_id };
  const infos = await db.find('user_infos', ['body'], [person]);
  const storedBirthDate =
    parseStoredObject<UserInfo>(infos.at(-1)?.body ?? '').dob ??
    parseStoredObject<User>(user.body).fallback_birth_date?.value;
  if (storedBirthDate === undefined) {
    return createWaiting('birth_date_unknown', people);
  }
  if (storedBirthDate !== birthDate) {
    return createWaiting('birth_date_differs', people);
  }
  const [search] = await db.find('people', ['facts'], [person]);
  return haveCommonName(names, listNames(parseFacts(search?.facts)))
    ? { kind: 'known', person }
    : createWaiting('name_differs', people);
}

/** @param stored JSON from the people index */
export function parseFacts(stored: string | undefined): readonly PersonFact[] {
  return stored === undefined ? [] : (JSON.parse(stored) as PersonFacts).facts;
}

/** Names from earlier lab reports don't count, since one wrong report would then confirm the next. */
function listNames(facts: readonly PersonFact[]): string[] {
  return facts.flatMap(({ name, source }) =>
    name === undefined || source === 'lab_report' ? [] : [name],
  );
}

/** Whether both sides have a common word other than an initial, or one side has no name. */
function haveCommonName(some: readonly string[], others: readonly string[]): boolean {
  const [words, otherWords] = [some, others].map((names) =>
    names.flatMap(splitWords).filter((word) => !/^\p{Script=Latin}$/u.test(word)),
  );
  return (
    words === undefined ||
    otherWords === undefined ||
    words.length === 0 ||
    otherWords.length === 0 ||
    words.some((word) => otherWords.some((other) => isSameWord(word, other)))
  );
}

/** Han and Hangul names may also be written as one word. */
function isSameWord(word: string, other: string): boolean {
  const isJoined = /^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(word + other);
  return isJoined ? word.includes(other) || other.includes(word) : word === other;
}

/**
 * Whether a waiting message is about a person whom its identifiers didn't name. Two of identifier (of any authority),
 * birth date and name must agree; without an identifier, all words of the name must agree.
 */
export function isAbout(
  { birthDate, ids, names }: ReportedPatient,
  clientUserId: string,
  facts: readonly PersonFact[],
): boolean {
  const hasId = ids.some(({ id }) => id === clientUserId);
  const hasBirthDate = facts.some(
    (fact) => fact.birthDate !== undefined && fact.birthDate === birthDate,
  );
  const storedNames = listNames(facts);
  const hasName = storedNames.length > 0 && names.length > 0 && haveCommonName(names, storedNames);
  return hasId ? hasBirthDate || hasName : hasBirthDate && haveSameName(names, storedNames);
}

function haveSameName(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => {
    const words = splitWords(name);
    return others.some((other) => {
      const otherWords = splitWords(other);
      const [fewer, more] =
        words.length < otherWords.length ? [words, otherWords] : [otherWords, words];
      return fewer.length > 1 && fewer.every((word) => more.includes(word));
    });
  });
}

function createWaiting(waitsFor: WaitsFor, people: readonly Uint8Array[] = []): Waiting {
  return { kind: 'waiting', waitsFor, people };
}
