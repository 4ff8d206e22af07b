import type { User, UserInfo } from '@caregate/domain';
import { maskedPatient, patient } from '@caregate/fhir';
import type { Patient } from 'fhir/r4.js';
import type { PersonRecord } from '../source/health-data-source.ts';
import { peopleQueryOf } from '../source/people/people-query.ts';
import { few, offsetOf, RECORDS, type Batches, type Place } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { boundsOf } from './fhir-date.ts';
import { invalid, userIdOf, type SearchQuery } from './search-query.ts';

/** As many as a search of a desk shows. */
export const MOST_NAMED = 20;

export async function* patients(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
): Batches {
  const one = (name: string) => query.tokens.filter((criterion) => criterion.name === name);
  const changes = query.dates.filter(({ name }) => name === '_lastUpdated');
  if (query.texts.length > 0) {
    call.demandNames();
    yield* peopleFound(call, await named(call, query), from);
    return;
  }
  call.demand('listUsers');
  const [ids] = one('_id');
  const [identifiers] = one('identifier');
  if (ids !== undefined) {
    yield* peopleFound(
      call,
      ids.tokens.flatMap(({ code }) => userIdOf(code ?? '') ?? []),
      from,
    );
  } else if (identifiers !== undefined) {
    yield* peopleFound(call, await identified(call, identifiers.tokens), from);
  } else if (changes.length > 0) {
    yield* changed(call, boundsOf(changes.map(({ date }) => date)), from);
  } else {
    yield* listed(call, query, from);
  }
}

/** Of all users, which the store keeps; undefined for any other search. */
export async function totalOfList(
  call: FhirCall,
  { type, tokens, dates, texts }: SearchQuery,
): Promise<number | undefined> {
  if (type !== 'Patient' || tokens.length + dates.length + texts.length > 0) {
    return undefined;
  }
  call.demand('listUsers');
  return (await call.read('listUsers', { offset: 0, limit: 1 })).total;
}

async function named(call: FhirCall, { texts }: SearchQuery): Promise<string[]> {
  const asked = peopleQueryOf(texts.map(({ text }) => text).join(' '));
  if ('reason' in asked) {
    throw invalid({ parameter: texts[0]?.name ?? 'name', reason: asked.reason });
  }
  const labs = call.allows('labOrderResult');
  const { hits } = await call.read('searchPeople', { query: asked, limit: MOST_NAMED, labs });
  return hits.map(({ person }) => person.user_id.toLowerCase());
}

async function identified(
  call: FhirCall,
  tokens: SearchQuery['tokens'][number]['tokens'],
): Promise<string[]> {
  const found: string[] = [];
  for (const { system, code = '' } of tokens) {
    const [, userId] = /^urn:uuid:(.+)$/u.exec(code) ?? [];
    if (userId !== undefined && system !== `urn:uuid:${call.teamId}`) {
      found.push(userId);
    } else if (system === undefined || system === `urn:uuid:${call.teamId}`) {
      const user = await call.read('resolveUser', code);
      found.push(...(user === undefined ? [] : [user.userId]));
    }
  }
  return found.flatMap((id) => userIdOf(id) ?? []);
}

async function* peopleFound(
  call: FhirCall,
  ids: readonly string[],
  from: Place | undefined,
): Batches {
  const people = await peopleById(call, [...new Set(ids)]);
  yield few(
    people.map((person) => patientOf(call, person)),
    from,
  );
}

/** In the order of the ids. */
async function peopleById(call: FhirCall, ids: readonly string[]): Promise<PersonRecord[]> {
  const found = await call.read('personRecords', ids);
  const byId = new Map(found.map((person) => [person.userId, person]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function* listed(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  let offset = offsetOf(from);
  for (;;) {
    // One more shows whether there is a next page.
    const limit = Math.min(RECORDS, query.count + 1);
    const { ids } = await call.read('listUsers', { offset, limit });
    const people = await peopleById(call, ids);
    const at = offset;
    yield people.map((person, index) => ({
      resource: patientOf(call, person),
      place: { offset: at + index + 1 },
    }));
    if (ids.length < limit) {
      return;
    }
    offset += ids.length;
    await call.pause();
  }
}

async function* changed(
  call: FhirCall,
  { fromUs, untilUs }: { readonly fromUs: number; readonly untilUs: number },
  from: Place | undefined,
): Batches {
  const [us, userId] = from !== undefined && 'change' in from ? from.change : [];
  let after = us === undefined || userId === undefined ? undefined : { changedUs: us, userId };
  for (;;) {
    const keys = await call.read('changedPeople', { fromUs, untilUs, after, limit: RECORDS });
    const people = await peopleById(call, [...new Set(keys.map((key) => key.userId))]);
    const byId = new Map(people.map((person) => [person.userId, person]));
    yield keys.flatMap((key) => {
      const person = byId.get(key.userId);
      // Whose user and info changed at different times comes with the later one.
      return person?.changedUs === key.changedUs
        ? [{ resource: patientOf(call, person), place: { change: [key.changedUs, key.userId] } }]
        : [];
    });
    if (keys.length < RECORDS) {
      return;
    }
    after = keys.at(-1);
    await call.pause();
  }
}

export function patientOf(call: FhirCall, { user, info, changedUs }: PersonRecord): Patient {
  const stored = JSON.parse(user) as User;
  return call.isMasked
    ? maskedPatient(stored, changedUs)
    : patient(
        { user: stored, info: info === undefined ? undefined : (JSON.parse(info) as UserInfo) },
        changedUs,
      );
}
