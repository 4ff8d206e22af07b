import { buildSearchEntry, buildSearchset, type SearchedType } from '@caregate/fhir';
import type { FhirResource } from 'fhir/r4.js';
import type { CursorSeal } from '../crypto/cursor-seal.ts';
import { Answer, type Disclosure } from '../common/answer.ts';
import { FHIR_MEDIA_TYPE } from '../problem/problem-error.ts';
import type { FoundResource, Place, Search, SortKey } from './batches.ts';
import { searchCoverages } from './coverages.ts';
import type { FhirCall } from './fhir-call.ts';
import { matches, getSpan } from './matches.ts';
import { searchObservations } from './observations.ts';
import { createOrderSearch } from './orders.ts';
import { searchPatients, readTotal } from './patients.ts';
import { createInvalidSearchProblem, parseUserId, type SearchQuery } from './search-query.ts';

const SEARCHES: Readonly<Record<SearchedType, Search>> = {
  Patient: searchPatients,
  Coverage: searchCoverages,
  ServiceRequest: createOrderSearch(false),
  DiagnosticReport: createOrderSearch(true),
  Observation: searchObservations,
};

export interface SearchContext {
  /** URL of `/fhir/r4`. */
  readonly base: string;
  readonly cursors: CursorSeal;
}

/** Returns a page of a search as a Bundle. */
export async function searchPage(
  call: FhirCall,
  query: SearchQuery,
  { base, cursors }: SearchContext,
): Promise<Answer> {
  const binding = JSON.stringify(['fhir 1', call.teamId, query.type, query.used]);
  const from = query.cursor === undefined ? {} : await openCursor(cursors, query.cursor, binding);
  // A search with `_count=0` only needs the number of matches.
  const find = query.count === 0 || query.sort !== undefined ? readSortedPage : readPage;
  const listed = query.count === 0 ? await readTotal(call, query) : undefined;
  const { resources, total, next }: Page =
    listed === undefined ? await find(call, query, from) : { resources: [], total: listed };
  const entries = resources.map((resource) => JSON.stringify(buildSearchEntry(base, resource)));
  const buildUrl = (cursor: string | undefined): string => {
    const text = new URLSearchParams(query.used);
    if (cursor !== undefined) {
      text.set('_cursor', cursor);
    }
    const parameters = text.toString();
    return `${base}/${query.type}${parameters === '' ? '' : `?${parameters}`}`;
  };
  const body = buildSearchset({
    ...{ entries, total, self: buildUrl(query.cursor) },
    next: next && buildUrl(await cursors.seal(JSON.stringify(next), binding)),
  });
  return new Answer(body, describeDisclosure(query, resources), FHIR_MEDIA_TYPE);
}

async function openCursor(cursors: CursorSeal, cursor: string, binding: string): Promise<Place> {
  const text = await cursors.open(cursor, binding);
  if (text === undefined) {
    throw createInvalidSearchProblem({
      parameter: '_cursor',
      reason: 'is not a valid cursor for this query',
    });
  }
  // The text is authenticated, so it is the JSON that was encrypted.
  return JSON.parse(text) as Place;
}

interface Page {
  readonly resources: readonly FhirResource[];
  readonly total?: number | undefined;
  readonly next?: Place | undefined;
}

/** Yields the matching resources. After each batch, other requests may run. */
async function* findMatches(
  call: FhirCall,
  query: SearchQuery,
  from: Place,
): AsyncGenerator<FoundResource> {
  for await (const batch of SEARCHES[query.type](call, query, from)) {
    yield* batch.filter(({ resource, unmasked = resource }) => matches(query, unmasked));
    await call.pause();
  }
}

async function readPage(call: FhirCall, query: SearchQuery, from: Place): Promise<Page> {
  const resources: FhirResource[] = [];
  let last: Place | undefined;
  for await (const { resource, place } of findMatches(call, query, from)) {
    if (resources.length === query.count) {
      return { resources, next: last };
    }
    resources.push(resource);
    last = place;
  }
  return { resources, total: query.cursor === undefined ? resources.length : undefined };
}

interface SortedResource {
  readonly resource: FhirResource;
  readonly key: SortKey;
}

/** Reads all matches, and returns one sorted page of them. */
async function readSortedPage(
  call: FhirCall,
  query: SearchQuery,
  { sorted: after }: Place,
): Promise<Page> {
  const first: SortedResource[] = [];
  let total = 0;
  for await (const { resource, unmasked = resource } of findMatches(call, query, {})) {
    total += 1;
    if (query.count === 0) {
      continue;
    }
    const key = toSortKey(query, unmasked);
    if (after === undefined || isBefore(after, key)) {
      const place = first.findLastIndex((one) => isBefore(one.key, key)) + 1;
      first.splice(place, 0, { resource, key });
      first.length = Math.min(first.length, query.count + 1);
    }
  }
  const shown = first.slice(0, query.count);
  const last = shown.at(-1);
  return {
    resources: shown.map(({ resource }) => resource),
    total,
    next: first.length > shown.length && last !== undefined ? { sorted: last.key } : undefined,
  };
}

/** Resources without a date are sorted last. */
function toSortKey({ sort }: SearchQuery, resource: FhirResource): SortKey {
  const us = getSpan(resource, sort?.name ?? '')?.fromUs ?? Number.MAX_SAFE_INTEGER;
  const isReversed = sort?.isLatestFirst === true && us !== Number.MAX_SAFE_INTEGER;
  return [isReversed ? -us : us, resource.id ?? ''];
}

function isBefore([us, id]: SortKey, [otherUs, otherId]: SortKey): boolean {
  return us < otherUs || (us === otherUs && id < otherId);
}

function describeDisclosure(query: SearchQuery, resources: readonly FhirResource[]): Disclosure {
  const [id, ...others] = query.tokens.find(({ name }) => name === '_id')?.tokens ?? [];
  const only = others.length === 0 ? id?.code : undefined;
  const userId = parseUserId((query.type === 'Patient' ? only : query.patient) ?? '');
  const patients =
    query.type === 'Patient'
      ? resources.flatMap(({ id }) => id ?? [])
      : userId === undefined || resources.length === 0
        ? []
        : [userId];
  const categories = new Set(resources.flatMap(readCategory));
  return {
    ...{ patients, recordCount: resources.length },
    ...(patients.length === 0 && userId !== undefined && { aboutUserId: userId }),
    ...(query.texts.length > 0 && { shown: 'listed' as const }),
    ...(categories.size > 0 && { details: { category: [...categories].join(' ') } }),
  };
}

function readCategory(resource: FhirResource): string | [] {
  return resource.resourceType === 'Observation'
    ? (resource.category?.[0]?.coding?.[0]?.code ?? [])
    : [];
}
