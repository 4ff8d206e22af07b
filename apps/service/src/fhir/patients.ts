import type { User, UserInfo } from '@caregate/domain';
import { maskedPatient, patient } from '@caregate/fhir';
import type { Patient } from 'fhir/r4.js';
import { parseNameQuery, type PersonRecord } from '@caregate/data-store';
import { few, fewRecords, RECORDS, type Batches, type Place, type Search } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { findBounds } from './fhir-date.ts';
import { invalid, parseUserId, type SearchQuery, type Token } from './search-query.ts';

export const patients: Search = async function* (call, query, from) {
  if (tellsOfPeople(query)) {
    call.demandNames();
  }
  if (query.texts.length > 0) {
    yield* named(call, query, from);
    return;
  }
  call.demand('listUsers');
  const findTokens = (name: string) => query.tokens.find((one) => one.name === name)?.tokens;
  const [ids, identifiers] = [findTokens('_id'), findTokens('identifier')];
  if (ids !== undefined || identifiers !== undefined) {
    const found = ids?.map(({ code = '' }) => code) ?? (await identified(call, identifiers ?? []));
    const people = await call.people(found.flatMap((id) => parseUserId(id) ?? []));
    yield few(
      [...people.values()].map((person) => foundPatient(call, person)),
      from,
    );
  } else if (query.dates.some(({ name }) => name === '_lastUpdated')) {
    yield* changed(call, query, from);
  } else {
    yield* listed(call, query, from);
  }
};

/** Whether the search depends on fields that a masked list hides. */
function tellsOfPeople({ texts, tokens, dates, sort }: SearchQuery): boolean {
  return (
    texts.length > 0 ||
    tokens.some(({ name }) => name === 'gender') ||
    [...dates, ...(sort === undefined ? [] : [sort])].some(({ name }) => name === 'birthdate')
  );
}

/** Returns the stored number of all users, or undefined for any search with criteria. */
export async function readTotal(
  call: FhirCall,
  { type, tokens, dates, texts }: SearchQuery,
): Promise<number | undefined> {
  if (type !== 'Patient' || tokens.length + dates.length + texts.length > 0) {
    return undefined;
  }
  call.demand('listUsers');
  return (await call.source.users(call.teamId, { offset: 0, limit: 1 }, call)).total;
}

/** Returns the user IDs for tokens of `identifier`, which have the team's own IDs or the service's user IDs. */
async function identified(call: FhirCall, tokens: readonly Token[]): Promise<string[]> {
  const own = `urn:uuid:${call.teamId}`;
  const found: string[] = [];
  for (const { system, code = '' } of tokens) {
    const [, userId] = /^urn:uuid:(.+)$/u.exec(code) ?? [];
    if (userId !== undefined && system !== own) {
      found.push(userId);
    } else if (system === undefined || system === own) {
      const user = await call.source.userByClientId(call.teamId, code, call);
      found.push(...(user === undefined ? [] : [user.userId]));
    }
  }
  return found;
}

const named: Search = (call, query, from) => {
  const names = query.texts.filter(({ name }) => name !== 'birthdate');
  const dates = query.texts.flatMap(({ name, text }) => (name === 'birthdate' ? text : []));
  const parsed = parseNameQuery(names.map(({ text }) => text).join(' '), dates);
  if ('reason' in parsed) {
    throw invalid({ parameter: names[0]?.name ?? 'name', reason: parsed.reason });
  }
  const search = { query: parsed, labs: call.allows('labOrderResult'), limit: fewRecords(query) };
  return batches(call, from, async ({ named: after }) => {
    const { people, next } = await call.records.named({ ...search, after });
    const keys = people.map(({ userId, place }) => ({ userId, place: { named: place } }));
    return { keys, next: next && { named: next } };
  });
};

const listed: Search = (call, query, from) => {
  const limit = fewRecords(query);
  return batches(call, from, async ({ id: after }) => {
    const ids = await call.records.userIds({ after, limit });
    const keys = ids.map((id) => ({ userId: id, place: { id } }));
    return { keys, next: ids.length < limit ? undefined : keys.at(-1)?.place };
  });
};

const changed: Search = (call, { dates }, from) => {
  const bounds = findBounds(
    dates.flatMap(({ name, date }) => (name === '_lastUpdated' ? [date] : [])),
  );
  return batches(call, from, async ({ change }) => {
    const after = change && { changedUs: change[0], userId: change[1] };
    const query = { ...bounds, after, limit: RECORDS };
    const found = await call.records.changedPeople(query, call.pause);
    const keys = found.map(({ userId, changedUs }) => ({
      userId,
      place: { change: [changedUs, userId] } satisfies Place,
    }));
    // The last batch is empty. It reads people whom an import changed since the keys were read.
    return { keys, next: keys.at(-1)?.place };
  });
};

interface Keys {
  readonly keys: readonly { readonly userId: string; readonly place: Place }[];
  readonly next: Place | undefined;
}

async function* batches(
  call: FhirCall,
  first: Place,
  readKeys: (from: Place) => Promise<Keys>,
): Batches {
  for (let from: Place | undefined = first; from !== undefined;) {
    const { keys, next }: Keys = await readKeys(from);
    const people = await call.people(keys.map(({ userId }) => userId));
    yield keys.flatMap(({ userId, place }) => {
      const person = people.get(userId);
      // People whose user and info changed at different times appear at the later time only.
      const isEarlier = place.change !== undefined && place.change[0] !== person?.changedUs;
      return person === undefined || isEarlier ? [] : [{ ...foundPatient(call, person), place }];
    });
    from = next;
  }
}

export function foundPatient(
  call: FhirCall,
  { user, info, changedUs }: PersonRecord,
): { readonly resource: Patient; readonly unmasked: Patient } {
  const stored = JSON.parse(user) as User;
  const userInfo = info === undefined ? undefined : (JSON.parse(info) as UserInfo);
  const unmasked = patient({ user: stored, info: userInfo }, changedUs);
  return { resource: call.isMasked ? maskedPatient(stored, changedUs) : unmasked, unmasked };
}
