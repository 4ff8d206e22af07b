import {
  BIOMARKER_TYPES,
  type BiomarkerResult,
  INTERPRETATIONS,
  getMaxLength,
  type Panel,
} from '@caregate/domain';
import { omitUndefined } from './defined.ts';
import { describeInvalidTimes, formatDateTime, readTime } from '../hl7-time.ts';
import { buildObservationKey } from './observation-key.ts';
import { limitText, parseRange, readUnit, type Value, readValue } from './observation-value.ts';
import type { StoredMissing, StoredResult, ReportedObservation } from '../report.ts';
import type { Segment } from '../segment.ts';

/** An OBX segment with its notes, its OBR, and what it inherits from the message. */
export interface Obx {
  readonly obr: Segment;
  readonly segment: Segment;
  readonly panel: Panel | undefined;
  /** OBR-25, used if OBX-11 is empty. */
  readonly orderStatus: string | undefined;
  readonly notes: string[];
  /** UTC offset of MSH-7, `+HH:MM`, for times that have none. */
  readonly offset: string | undefined;
  /** When the results of the order were reported (OBR-22), RFC 3339. */
  readonly reported: string | undefined;
}

/** Consecutive text OBXs with the same code, sub-ID and status are joined. */
interface Draft extends Obx {
  readonly key: string;
  readonly status: Status;
  readonly names: StoredMissing;
  readonly value: Value;
  readonly texts: string[];
}

type Status = ReportedObservation['status'];

/**
 * Observation status by OBX-11. Verified results (V) are final. Amended and appended ones (A, B) are corrections.
 * Pending, entered and partial ones are preliminary. Not requested and no result (N, O) are missing.
 */
const STATUSES = indexByCode({ F: 'FV', C: 'CAB', P: 'PRSI', X: 'XNO', D: 'D', W: 'W', U: 'U' });

/** Observation status by OBR-25, for results without a status of their own. All other codes mean final. */
const ORDER_STATUSES = indexByCode({ C: 'C', X: 'X', P: 'AIPRS' });

function indexByCode(codes: Partial<Record<Status, string>>): ReadonlyMap<string, Status> {
  return new Map(
    Object.entries(codes).flatMap(([status, all]) =>
      Array.from(all, (code) => [code, status as Status] as const),
    ),
  );
}

/** @throws RefusedMessage */
export function readObservations(all: readonly Obx[]): {
  observations: ReportedObservation[];
  /** Whether any observation has no value yet. */
  arePending: boolean;
} {
  const drafts = joinTexts(all);
  const observations = drafts.map(toObservation).filter((each) => each !== undefined);
  return { observations, arePending: observations.length < drafts.length };
}

function joinTexts(all: readonly Obx[]): Draft[] {
  const drafts: Draft[] = [];
  for (const obx of all) {
    const { segment, notes } = obx;
    const [status, value] = [readStatus(obx), readValue(segment)];
    const names = omitUndefined({ ...readNames(segment), panel: obx.panel });
    const key = buildObservationKey({ ...names, unit: readUnit(segment) });
    const last = drafts.at(-1);
    const isMore =
      value.type === BIOMARKER_TYPES.comment &&
      last?.value.type === BIOMARKER_TYPES.comment &&
      last.key === key &&
      last.status === status;
    if (isMore) {
      last.texts.push(value.result);
      last.notes.push(...notes);
    } else {
      drafts.push({ ...obx, key, status, names, value, texts: [value.result] });
    }
  }
  return drafts;
}

/** @returns `undefined` if the value is still pending */
function toObservation(draft: Draft): ReportedObservation | undefined {
  const { key, names, notes, status, texts, value } = draft;
  const result = limitText(texts.join('\n'));
  const isBlank = result.trim() === '';
  const buildMissing = (...reasons: readonly string[]): ReportedObservation => {
    const note = limitText([...reasons, ...notes].join('\n')) || undefined;
    return { key, status: 'X', missing: omitUndefined({ ...names, note }) };
  };
  switch (status) {
    case 'D':
    case 'W':
      return { key, status };
    case 'X':
      return isBlank ? buildMissing() : buildMissing(result);
    case 'U':
      // A status without a value confirms the value that was sent before.
      return isBlank
        ? { key, status }
        : { key, status: 'F', measured: toMeasured(draft, { ...value, result }) };
    case 'P':
    case 'F':
    case 'C':
      if (!isBlank) {
        return { key, status, measured: toMeasured(draft, { ...value, result }) };
      }
      return status === 'P' ? undefined : buildMissing('The laboratory sent no value.');
  }
}

/** An unknown status is preliminary, since only the laboratory can call a result final. */
function readStatus({ orderStatus = '', segment }: Obx): Status {
  const status = segment.getText(11);
  return status === undefined
    ? (ORDER_STATUSES.get(orderStatus) ?? 'F')
    : (STATUSES.get(status) ?? 'P');
}

/**
 * Reads OBX-3, with its name if it has one, and the sub-ID in OBX-4. A result with neither is kept, but can't be
 * matched with later ones.
 */
function readNames(obx: Segment): StoredMissing {
  const [code, text, system, alternate, alternateText, alternateSystem] = [1, 2, 3, 4, 5, 6].map(
    (part) => obx.getText(3, part),
  );
  const name = (text ?? alternateText ?? code ?? alternate ?? 'Unnamed test').slice(
    0,
    getMaxLength('name'),
  );
  const codes = [
    { code: omitTooLong('loinc', code), isLoinc: system === 'LN' },
    { code: omitTooLong('loinc', alternate), isLoinc: alternateSystem === 'LN' },
  ].filter((each) => each.code !== undefined);
  return omitUndefined({
    name,
    slug: toSlug(name).slice(0, getMaxLength('slug')),
    loinc: codes.find(({ isLoinc }) => isLoinc)?.code,
    provider_id: codes.find(({ isLoinc }) => !isLoinc)?.code,
    sub_id: omitTooLong('sub_id', obx.getText(4)),
  });
}

/**
 * Returns `undefined` if the text is longer than import accepts for this field, so that one observation doesn't
 * reject the message.
 */
function omitTooLong(field: string, text: string | undefined): string | undefined {
  return text === undefined || text.length > getMaxLength(field) ? undefined : text;
}

/** Lists the fields that `omitTooLong` leaves out. */
function describeTooLongFields(obx: Segment): string[] {
  const limits = { 3: getMaxLength('loinc'), 4: getMaxLength('sub_id'), 6: getMaxLength('unit') };
  return Object.entries({ ...limits, 8: getMaxLength('interpretation') }).flatMap(([field, most]) =>
    obx.getRepetitions(Number(field)).some((each) => each.getComponents().join('').length > most)
      ? [`OBX-${field} is too long to be kept here. Ask the laboratory for it.`]
      : [],
  );
}

function toSlug(name: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/gu, '') || words;
}

function toMeasured(draft: Draft, value: Value): StoredResult {
  const { names, segment, status } = draft;
  const written = segment.isTooLong(7) ? '' : segment.getFullText(7).trim();
  const sent = segment.getText(11);
  const notes = [
    ...draft.notes,
    ...describeInvalidTimes(segment, [14, 19]),
    ...describeTooLongFields(segment),
    ...(sent === undefined || STATUSES.has(sent) ? [] : [`Status of the laboratory: ${sent}`]),
  ];
  return omitUndefined({
    ...names,
    ...value,
    unit: omitTooLong('unit', readUnit(segment)),
    timestamp: readTimestamp(draft),
    notes: limitText(notes.join('\n')) || undefined,
    ...parseRange(written),
    reference_range: written === '' ? undefined : limitText(written),
    ...readInterpretation(segment),
    observation_status: status === 'C' || status === 'P' ? status : undefined,
  });
}

/** OBX-19, else OBX-14, else OBR-22. Times without minutes or a known offset are not used. */
function readTimestamp({ segment, offset, reported }: Obx): string | undefined {
  const [analysed, observed] = [readTime(segment, 19), readTime(segment, 14)];
  const time = analysed ?? observed;
  return time === undefined ? reported : formatDateTime(time, offset);
}

type Interpreted = Pick<
  BiomarkerResult,
  'interpretation' | 'is_above_max_range' | 'is_below_min_range'
>;

const { normal, abnormal, critical } = INTERPRETATIONS;
const WORDS: ReadonlyMap<string, string> = new Map([
  ['N', normal],
  ...['H', 'L', 'A'].map((flag) => [flag, abnormal] as const),
  ...['HH', 'LL', 'AA'].map((flag) => [flag, critical] as const),
]);

/**
 * Reads the abnormal flags (OBX-8). Several flags of one direction become the worst of them; otherwise their words
 * are joined.
 */
function readInterpretation(obx: Segment): Partial<Interpreted> {
  const flags = obx.getRepetitions(8).flatMap((each) => each.getComponent(1) ?? []);
  const words = [...new Set(flags.map((flag) => WORDS.get(flag) ?? flag))];
  const isWorse = words.length === 2 && words.includes(abnormal) && words.includes(critical);
  const [above, below] = ['H', 'L'].map((side) =>
    flags.some((flag) => [side, side + side].includes(flag)),
  );
  const interpretation = isWorse ? critical : omitTooLong('interpretation', words.join(', '));
  return {
    ...(interpretation !== undefined && interpretation !== '' && { interpretation }),
    ...((above || below) && { is_above_max_range: above, is_below_min_range: below }),
  };
}
