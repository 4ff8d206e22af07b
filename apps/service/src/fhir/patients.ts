import type { User, UserInfo } from '@caregate/domain';
import { maskedPatient, patient } from '@caregate/fhir';
import type { Patient } from 'fhir/r4.js';
import { nameQueryOf, type PersonRecord } from '@caregate/data-store';
import { few, fewRecords, RECORDS, type Batches, type Place } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { boundsOf } from './fhir-date.ts';
import { invalid, userIdOf, type SearchQuery } from './search-query.ts';

export async function* patients(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
): Batches {
  const one = (name: string) => query.tokens.filter((criterion) => criterion.name === name);
  const changes = query.dates.filter(({ name }) => name === '_lastUpdated');
  if (tellsOfPeople(query)) {
    call.demandNames();
  }
  if (query.texts.length > 0) {
    yield* named(call, query, from);
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

/** Whether the answer tells what a masked list hides. */
function tellsOfPeople({ texts, tokens, dates, sort }: SearchQuery): boolean {
  return (
    texts.length > 0 ||
    tokens.some(({ name }) => name === 'gender') ||
    [...dates, ...(sort === undefined ? [] : [sort])].some(({ name }) => name === 'birthdate')
  );
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
  return (await call.source.users(call.teamId, { offset: 0, limit: 1 }, call)).total;
}

async function* named(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  const names = query.texts.filter(({ name }) => name !== 'birthdate');
  const dates = query.texts.flatMap(({ name, text }) => (name === 'birthdate' ? text : []));
  const asked = nameQueryOf(names.map(({ text }) => text).join(' '), dates);
  if ('reason' in asked) {
    throw invalid({ parameter: names[0]?.name ?? 'name', reason: asked.reason });
  }
  const labs = call.allows('labOrderResult');
  let after = from !== undefined && 'named' in from ? from.named : undefined;
  const limit = fewRecords(query);
  for (;;) {
    const found = await call.source.peopleNamed(
      call.teamId,
      { query: asked, after, labs, limit },
      call,
    );
    const people = await peopleById(
      call,
      found.people.map(({ userId }) => userId),
    );
    yield found.people.flatMap(({ userId, place }) => {
      const person = people.get(userId);
      return person === undefined
        ? []
        : [{ ...foundPatient(call, person), place: { named: place } }];
    });
    after = found.next;
    if (after === undefined) {
      return;
    }
  }
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
      const user = await call.source.userByClientId(call.teamId, code, call);
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
    [...people.values()].map((person) => foundPatient(call, person)),
    from,
  );
}

async function peopleById(
  call: FhirCall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PersonRecord>> {
  const found = await call.source.personRecords(call.teamId, ids, call);
  return new Map(found.map((person) => [person.userId, person]));
}

async function* listed(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  let after = from !== undefined && 'id' in from ? from.id : undefined;
  const limit = fewRecords(query);
  for (;;) {
    const ids = await call.source.userIds(call.teamId, { after, limit }, call);
    const people = await peopleById(call, ids);
    yield ids.flatMap((id) => {
      const person = people.get(id);
      return person === undefined ? [] : [{ ...foundPatient(call, person), place: { id } }];
    });
    if (ids.length < limit) {
      return;
    }
    after = ids.at(-1);
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
    const keys = await call.source.changedPeople(
      call.teamId,
      { fromUs, untilUs, after, limit: RECORDS },
      call,
    );
    const people = await peopleById(call, [...new Set(keys.map((key) => key.userId))]);
    yield keys.flatMap((key) => {
      const person = people.get(key.userId);
      // Whose user and info changed at different times comes with the later one.
      return person?.changedUs === key.changedUs
        ? [{ ...foundPatient(call, person), place: { change: [key.changedUs, key.userId] } }]
        : [];
    });
    after = keys.at(-1);
    // Not earlier: whom an import has changed since the keys were read is behind them.
    if (after === undefined) {
      return;
    }
  }
}

export function patientOf(call: FhirCall, person: PersonRecord): Patient {
  return foundPatient(call, person).resource;
}

function foundPatient(
  call: FhirCall,
  { user, info, changedUs }: PersonRecord,
): { readonly resource: Patient; readonly unmasked: Patient } {
  const stored = JSON.parse(user) as User;
  const unmasked = patient(
    { user: stored, info: info === undefined ? undefined : (JSON.parse(info) as UserInfo) },
    changedUs,
  );
  return { resource: call.isMasked ? maskedPatient(stored, changedUs) : unmasked, unmasked };
}
