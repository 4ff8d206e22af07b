import {
  toInstant,
  isPlaceholder,
  readPanel,
  type MindfulnessMinutesPoint,
  type TimeseriesSource,
} from '@caregate/domain';

/** Stable IDs for resources that have no ID in the store: at most 64 characters of `A-Za-z0-9-.`. */

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const COVERAGE = new RegExp(`^(${UUID})\\.(primary|secondary)$`, 'u');
const LAB_OBSERVATION_ID = new RegExp(`^(${UUID})\\.[0-9a-z]{1,11}(?:-\\d{1,5})?$`, 'u');
const MINDFULNESS_ID = new RegExp(`^(${UUID})\\.(-?)([0-9a-z]{1,11})\\.[0-9a-z]{1,11}$`, 'u');

export function buildCoverageId(userId: string, isPrimary: boolean): string {
  return `${userId.toLowerCase()}.${isPrimary ? 'primary' : 'secondary'}`;
}

/**
 * Returns the user of a Coverage ID and whether it is the primary insurance, or `undefined` if the text is no such
 * ID.
 */
export function parseCoverageId(id: string): { userId: string; isPrimary: boolean } | undefined {
  const [, userId, rank] = COVERAGE.exec(id) ?? [];
  return userId === undefined ? undefined : { userId, isPrimary: rank === 'primary' };
}

interface Marker {
  readonly name?: string;
  readonly slug: string;
  readonly loinc?: string | null;
  readonly provider_id?: string | null;
}

/**
 * The IDs of a report's Observations, in the report's order. An ID is a hash of the slug, LOINC code, laboratory's ID
 * and panel, or of the name if there is none of these. It doesn't depend on the other results, so it stays the same
 * when a missing result arrives. Equal IDs get a number.
 */
export function buildMarkerIds(orderId: string, markers: readonly Marker[]): string[] {
  const counts = new Map<string, number>();
  const order = orderId.toLowerCase();
  return markers.map((marker) => {
    const { name, slug, loinc, provider_id } = marker;
    const codes = [slug, loinc ?? '', provider_id ?? ''];
    const isNamed = codes.every((code) => isPlaceholder(code));
    const key = hash(JSON.stringify([...codes, isNamed ? name : null, readPanel(marker)?.code]));
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${order}.${key}${count === 1 ? '' : `-${count}`}`;
  });
}

export function buildPointId(
  userId: string,
  { provider, type }: TimeseriesSource,
  { start, end }: MindfulnessMinutesPoint,
): string {
  const key = hash(JSON.stringify([provider, type, toInstant(end)]));
  return `${userId.toLowerCase()}.${toInstant(start).toString(36)}.${key}`;
}

/**
 * Returns the order of a lab Observation, the user and start (microseconds since 1970) of a mindfulness Observation,
 * or `undefined` if the text is neither.
 */
export function parseObservationId(
  id: string,
): { orderId: string } | { userId: string; startUs: number } | undefined {
  const [, orderId] = LAB_OBSERVATION_ID.exec(id) ?? [];
  if (orderId !== undefined) return { orderId };
  const [, userId, sign = '', digits = ''] = MINDFULNESS_ID.exec(id) ?? [];
  const startUs = Number.parseInt(`${sign}${digits}`, 36);
  return userId === undefined || !Number.isSafeInteger(startUs) ? undefined : { userId, startUs };
}

// Looked up once: in a context of `node:vm`, as tests have, looking up a global takes longer than the arithmetic.
const { imul } = Math;

/** FNV-1a with two primes, reduced to 53 bits. Collisions only matter within one report or one user. */
function hash(value: string): string {
  let [low, high] = [0x811c9dc5, 0x811c9dc5];
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    low = imul(low ^ code, 0x01000193);
    high = imul(high ^ code, 0x85ebca6b);
  }
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(36);
}
