import { BIOMARKER_TYPES, type BiomarkerResult, INTERPRETATIONS } from '@caregate/domain';
import { defined } from './defined.ts';
import { instantText, readTime } from '../hl7-time.ts';
import { observationKey } from './observation-key.ts';
import { rangeOf, type Value, valueOf } from './observation-value.ts';
import type { KeptMissing, KeptResult, ReportedObservation } from '../report.ts';
import type { Segment } from '../segment.ts';

/** An OBX with what follows it. */
export interface Obx {
  readonly segment: Segment;
  readonly notes: string[];
  /** Of times that have none: that of MSH-7, `+HH:MM`. */
  readonly offset: string | undefined;
  /** When its order was reported, with its offset. */
  readonly reported: string | undefined;
}

/** Consecutive OBXs of text with one code, sub-id and status are one. */
interface Draft extends Obx {
  readonly key: string;
  readonly status: Status;
  readonly names: KeptMissing;
  readonly value: Value;
  readonly texts: string[];
}

type Status = keyof typeof STATUSES;

/** By OBX-11; pending, entered and unverified ones are preliminary. */
const STATUSES = {
  F: 'F',
  C: 'C',
  P: 'P',
  R: 'P',
  S: 'P',
  I: 'P',
  X: 'X',
  D: 'D',
  W: 'W',
} as const;

/** @throws RefusedMessage */
export function observationsOf(all: readonly Obx[]): {
  observations: ReportedObservation[];
  /** Some have no value yet. */
  arePending: boolean;
} {
  const drafts = draftsOf(all);
  const observations = drafts.map(observationOf).filter((each) => each !== undefined);
  return { observations, arePending: observations.length < drafts.length };
}

function draftsOf(all: readonly Obx[]): Draft[] {
  const drafts: Draft[] = [];
  for (const obx of all) {
    const { segment, notes } = obx;
    const [status, names, value] = [statusOf(segment), namesOf(segment), valueOf(segment)];
    const key = observationKey(names);
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

/** @returns undefined if its value is still to come */
function observationOf(draft: Draft): ReportedObservation | undefined {
  const { key, names, notes, segment, texts, value } = draft;
  const status = STATUSES[draft.status];
  const result = texts.join('\n');
  const isBlank = result.trim() === '';
  switch (status) {
    case 'D':
    case 'W':
      return { key, status };
    case 'X': {
      const note = [...(isBlank ? [] : [result]), ...notes].join('\n') || undefined;
      return { key, status, missing: defined({ ...names, note }) };
    }
    case 'P':
    case 'F':
    case 'C':
      if (!isBlank) {
        return { key, status, measured: measuredOf(draft, { ...value, result }) };
      }
      if (status === 'P') {
        return undefined;
      }
      return segment.refuse(
        'requiredField',
        5,
        'A final result must have a value; the status of one that is missing is X.',
      );
  }
}

function statusOf(obx: Segment): Status {
  const status = obx.text(11);
  const known = (Object.keys(STATUSES) as Status[]).find((each) => each === status);
  return (
    known ??
    obx.refuse(
      status === undefined ? 'requiredField' : 'tableValue',
      11,
      `The status must be one of ${Object.keys(STATUSES).join(', ')}.`,
    )
  );
}

/** OBX-3, its name in words where there is one, and OBX-4. */
function namesOf(obx: Segment): KeptMissing {
  const [code, text, system, alternate, alternateText, alternateSystem] = [1, 2, 3, 4, 5, 6].map(
    (part) => obx.text(3, part),
  );
  const name = text ?? alternateText ?? code ?? alternate;
  if (name === undefined) {
    obx.refuse('requiredField', 3, 'An observation must have a code or a name.');
  }
  const codes = [
    { code, isLoinc: system === 'LN' },
    { code: alternate, isLoinc: alternateSystem === 'LN' },
  ].filter((each) => each.code !== undefined);
  return defined({
    name,
    slug: slugOf(name),
    loinc: codes.find(({ isLoinc }) => isLoinc)?.code,
    provider_id: codes.find(({ isLoinc }) => !isLoinc)?.code,
    sub_id: obx.text(4),
  });
}

function slugOf(name: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/gu, '') || words;
}

function measuredOf(draft: Draft, value: Value): KeptResult {
  const { names, segment, status } = draft;
  const written = segment.whole(7).trim();
  const range = rangeOf(written);
  const notes = [...draft.notes];
  if (range === undefined && written !== '') {
    notes.push(`Reference range: ${written}`);
  }
  const final = STATUSES[status];
  return defined({
    ...names,
    ...value,
    unit: segment.text(6) ?? segment.text(6, 2),
    timestamp: timestampOf(draft),
    notes: notes.join('\n') || undefined,
    ...range,
    ...interpretationOf(segment),
    observation_status: final === 'C' || final === 'P' ? final : undefined,
  });
}

/** OBX-19, else OBX-14, else OBR-22; none where minutes or offset are not known. */
function timestampOf({ segment, offset, reported }: Obx): string | undefined {
  const [analysed, observed] = [readTime(segment, 19), readTime(segment, 14)];
  const time = analysed ?? observed;
  return time === undefined ? reported : instantText(time, offset);
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

/** OBX-8. Several flags of one direction are the worst of them; else their words stay beside each other. */
function interpretationOf(obx: Segment): Partial<Interpreted> {
  const flags = obx.repetitions(8).flatMap((each) => each.component(1) ?? []);
  const words = [...new Set(flags.map((flag) => WORDS.get(flag) ?? flag))];
  const isWorse = words.length === 2 && words.includes(abnormal) && words.includes(critical);
  const [above, below] = ['H', 'L'].map((side) =>
    flags.some((flag) => [side, side + side].includes(flag)),
  );
  return {
    ...(words.length > 0 && { interpretation: isWorse ? critical : words.join(', ') }),
    ...((above || below) && { is_above_max_range: above, is_below_min_range: below }),
  };
}
