import type { User, UserInfo } from '@caregate/domain';
import { buildMaskedPatient, buildPatient } from '@caregate/fhir';
import type { Patient } from 'fhir/r4.js';
import { parseNameQuery, type PersonRecord } from '@caregate/data-store';
import {
  sortById,
  chooseLimit,
  BATCH_SIZE,
  type Batches,
  type Place,
  type Search,
} from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { findBounds } from './fhir-date.ts';
import {
  createInvalidSearchProblem,
  parseUserId,
  type SearchQuery,
  type Token,
} from './search-query.ts';

export const searchPatients: Search = async function* (call, query, from) {
  if (dependsOnHiddenFields(query)) {
    call.demandNames();
  }
  if (query.texts.length > 0) {
    yield* searchByName(call, query, from);
    return;
  }
  call.demand('listUsers');
  const findTokens = (name: string) => query.tokens.find((one) => one.name === name)?.tokens;
  const [ids, identifiers] = [findTokens('_id'), findTokens('identifier')];
  if (ids !== undefined || identifiers !== undefined) {
    const found = ids?.map(({ code = '' }) => code) ?? (await findUserIds(call, identifiers ?? []));
    const people = await call.findPeople(found.flatMap((id) => parseUserId(id) ?? []));
    yield sortById(
      [...people.values()].map((person) => toFoundPatient(call, person)),
      from,
    );
  } else if (query.dates.some(({ name }) => name === '_lastUpdated')) {
    yield* searchByChange(call, query, from);
  } else {
    yield* searchAll(call, query, from);
  }
};

/** Whether the search depends on fields that a masked list hides. */
function dependsOnHiddenFields({ texts, tokens, dates, sort }: SearchQuery): boolean {
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
  return (await call.source.listUsers(call.teamId, { offset: 0, limit: 1 }, call)).total;
}

/** Returns the user IDs for tokens of `identifier`, which have the team's own IDs or the service's user IDs. */
async function findUserIds(call: FhirCall, tokens: readonly Token[]): Promise<string[]> {
  const own = `urn:uuid:${call.teamId}`;
  const found: string[] = [];
  for (const { system, code = '' } of tokens) {
    const [, userId] = /^urn:uuid:(.+)$/u.exec(code) ?? [];
    if (userId !== undefined && system !== own) {
      found.push(userId);
    } else if (system === undefined || system === own) {
      const user = await call.source.findUserByClientId(call.teamId, code, call);
      found.push(...(user === undefined ? [] : [user.userId]));
    }
  }
  return found;
}

const searchByName: Search = (call, query, from) => {
  const names = query.texts.filter(({ name }) => name !== 'birthdate');
  const dates = query.texts.flatMap(({ name, text }) => (name === 'birthdate' ? text : []));
  const parsed = parseNameQuery(names.map(({ text }) => text).join(' '), dates);
  if ('reason' in parsed) {
    throw createInvalidSearchProblem({
      parameter: names[0]?.name ?? 'name',
      reason: parsed.reason,
    });
  }
  const search = { query: parsed, labs: call.allows('labOrderResult'), limit: chooseLimit(query) };
  return readBatches(call, from, async ({ named: after }) => {
    const { people, next } = await call.records.findByName({ ...search, after });
    const keys = people.map(({ userId, place }) => ({ userId, place: { named: place } }));
    return { keys, next: next && { named: next } };
  });
};

const searchAll: Search = (call, query, from) => {
  const limit = chooseLimit(query);
  return readBatches(call, from, async ({ id: after }) => {
    const ids = await call.records.listUserIds({ after, limit });
    const keys = ids.map((id) => ({ userId: id, place: { id } }));
    return { keys, next: ids.length < limit ? undefined : keys.at(-1)?.place };
  });
};

const searchByChange: Search = (call, { dates }, from) => {
  const bounds = findBounds(
    dates.flatMap(({ name, date }) => (name === '_lastUpdated' ? [date] : [])),
  );
  return readBatches(call, from, async ({ change }) => {
    const after = change && { changedUs: change[0], userId: change[1] };
    const query = { ...bounds, after, limit: BATCH_SIZE };
    const found = await call.records.listChangedPeople(query, call.pause);
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

async function* readBatches(
  call: FhirCall,
  first: Place,
  readKeys: (from: Place) => Promise<Keys>,
): Batches {
  for (let from: Place | undefined = first; from !== undefined;) {
    const { keys, next }: Keys = await readKeys(from);
    const people = await call.findPeople(keys.map(({ userId }) => userId));
    yield keys.flatMap(({ userId, place }) => {
      const person = people.get(userId);
      // People whose user and info changed at different times appear at the later time only.
      const isEarlier = place.change !== undefined && place.change[0] !== person?.changedUs;
      return person === undefined || isEarlier ? [] : [{ ...toFoundPatient(call, person), place }];
    });
    from = next;
  }
}

export function toFoundPatient(
  call: FhirCall,
  { user, info, changedUs }: PersonRecord,
): { readonly resource: Patient; readonly unmasked: Patient } {
  const stored = JSON.parse(user) as User;
  const userInfo = info === undefined ? undefined : (JSON.parse(info) as UserInfo);
  const unmasked = buildPatient({ user: stored, info: userInfo }, changedUs);
  return { resource: call.isMasked ? buildMaskedPatient(stored, changedUs) : unmasked, unmasked };
}
