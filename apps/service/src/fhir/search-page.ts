import { searchEntry, searchset, type SearchedType } from '@caregate/fhir';
import type { FhirResource } from 'fhir/r4.js';
import type { CursorSeal } from '../crypto/cursor-seal.ts';
import { Answer } from '../common/answer.ts';
import type { Disclosure } from '../http/disclosure.ts';
import { FHIR_MEDIA_TYPE } from '../problem/problem-error.ts';
import type { Batches, Place, SortKey } from './batches.ts';
import { coverages } from './coverages.ts';
import type { FhirCall } from './fhir-call.ts';
import { matches, spanOfResource } from './matches.ts';
import { observations } from './observations.ts';
import { ordersOf } from './orders.ts';
import { patients, totalOfList } from './patients.ts';
import { invalid, userIdOf, type SearchQuery } from './search-query.ts';

/** They check permissions before they read. */
const SEARCHES: Readonly<
  Record<SearchedType, (call: FhirCall, query: SearchQuery, from: Place | undefined) => Batches>
> = {
  Patient: patients,
  Coverage: coverages,
  ServiceRequest: (call, query, from) => ordersOf(call, query, from, false),
  DiagnosticReport: (call, query, from) => ordersOf(call, query, from, true),
  Observation: observations,
};

export interface Address {
  /** Of `/fhir/r4`. */
  readonly base: string;
  readonly cursors: CursorSeal;
}

/** A page of a search. */
export async function searchPage(
  call: FhirCall,
  query: SearchQuery,
  { base, cursors }: Address,
): Promise<Answer> {
  const binding = JSON.stringify(['fhir 1', call.teamId, query.type, query.used]);
  const from =
    query.cursor === undefined ? undefined : await opened(cursors, query.cursor, binding);
  // Whoever asks for no resources gets the number of all that match.
  const find = query.count === 0 || query.sort !== undefined ? sorted : found;
  const listed = query.count === 0 ? await totalOfList(call, query) : undefined;
  const { resources, entries, total, next }: Page =
    listed === undefined
      ? await find(call, query, from, base)
      : { resources: [], entries: [], total: listed };
  const address = (cursor: string | undefined): string => {
    const text = new URLSearchParams(query.used);
    if (cursor !== undefined) {
      text.set('_cursor', cursor);
    }
    const parameters = text.toString();
    return `${base}/${query.type}${parameters === '' ? '' : `?${parameters}`}`;
  };
  const body = searchset({
    ...{ entries, total, self: address(query.cursor) },
    next: next && address(await cursors.seal(JSON.stringify(next), binding)),
  });
  return new Answer(body, disclosureOf(query, resources), FHIR_MEDIA_TYPE);
}

async function opened(cursors: CursorSeal, cursor: string, binding: string): Promise<Place> {
  const text = await cursors.open(cursor, binding);
  if (text === undefined) {
    throw invalid({ parameter: '_cursor', reason: 'is not a valid cursor for this query' });
  }
  // Authenticated: it is what was sealed.
  return JSON.parse(text) as Place;
}

interface Page {
  readonly resources: readonly FhirResource[];
  readonly entries: readonly string[];
  readonly total?: number | undefined;
  readonly next?: Place | undefined;
}

/** What others ask has its turn behind each batch. */
async function* inTurns(call: FhirCall, batches: Batches): Batches {
  for await (const batch of batches) {
    yield batch;
    await call.pause();
  }
}

async function found(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
  base: string,
): Promise<Page> {
  const resources: FhirResource[] = [];
  const entries: string[] = [];
  let last: Place | undefined;
  for await (const batch of inTurns(call, SEARCHES[query.type](call, query, from))) {
    for (const { resource, unmasked = resource, place } of batch) {
      if (matches(query, unmasked)) {
        if (resources.length === query.count) {
          return { resources, entries, next: last };
        }
        resources.push(resource);
        entries.push(JSON.stringify(searchEntry(base, resource)));
        last = place;
      }
    }
  }
  return { resources, entries, total: from === undefined ? resources.length : undefined };
}

interface Sorted {
  readonly resource: FhirResource;
  readonly key: SortKey;
}

/** Looks at all that match, and keeps a page of them. */
async function sorted(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
  base: string,
): Promise<Page> {
  const after = from !== undefined && 'sorted' in from ? from.sorted : undefined;
  const first: Sorted[] = [];
  let total = 0;
  for await (const batch of inTurns(call, SEARCHES[query.type](call, query, undefined))) {
    for (const { resource, unmasked = resource } of batch) {
      if (matches(query, unmasked)) {
        total += 1;
        const key = sortKeyOf(query, unmasked);
        if (after === undefined || isBefore(after, key)) {
          first.splice(first.findLastIndex((one) => isBefore(one.key, key)) + 1, 0, {
            ...{ resource, key },
          });
          first.length = Math.min(first.length, query.count + 1);
        }
      }
    }
  }
  const shown = first.slice(0, query.count);
  const last = shown.at(-1);
  return {
    resources: shown.map(({ resource }) => resource),
    entries: shown.map(({ resource }) => JSON.stringify(searchEntry(base, resource))),
    total,
    next: first.length > shown.length && last !== undefined ? { sorted: last.key } : undefined,
  };
}

/** What has no date comes last. */
function sortKeyOf({ sort }: SearchQuery, resource: FhirResource): SortKey {
  const us = spanOfResource(resource, sort?.name ?? '')?.fromUs ?? Number.MAX_SAFE_INTEGER;
  const isReversed = sort?.isLatestFirst === true && us !== Number.MAX_SAFE_INTEGER;
  return [isReversed ? -us : us, resource.id ?? ''];
}

function isBefore([us, id]: SortKey, [otherUs, otherId]: SortKey): boolean {
  return us < otherUs || (us === otherUs && id < otherId);
}

function disclosureOf(query: SearchQuery, resources: readonly FhirResource[]): Disclosure {
  const [id, ...others] = query.tokens.find(({ name }) => name === '_id')?.tokens ?? [];
  const only = others.length === 0 ? id?.code : undefined;
  const asked = userIdOf((query.type === 'Patient' ? only : query.patient) ?? '');
  const patients =
    query.type === 'Patient'
      ? resources.flatMap(({ id }) => id ?? [])
      : asked === undefined || resources.length === 0
        ? []
        : [asked];
  const categories = new Set(resources.flatMap(categoryOf));
  return {
    ...{ patients, recordCount: resources.length },
    ...(patients.length === 0 && asked !== undefined && { aboutUserId: asked }),
    ...(query.texts.length > 0 && { shown: 'listed' as const }),
    ...(categories.size > 0 && { details: { category: [...categories].join(' ') } }),
  };
}

function categoryOf(resource: FhirResource): string | [] {
  return resource.resourceType === 'Observation'
    ? (resource.category?.[0]?.coding?.[0]?.code ?? [])
    : [];
}
