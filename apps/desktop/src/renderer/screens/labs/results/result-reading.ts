import { BIOMARKER_TYPES, INTERPRETATIONS } from '@caregate/domain';
import type { BiomarkerResult } from '@caregate/domain';
import { distanceOutside, finite, rangeOf, sideOf } from '../ranges/reference-range.ts';
import type { ReferenceRange, Side } from '../ranges/reference-range.ts';

/** What a result is shown as. Only `normal` says that all is well, and only of a range, with evidence for it. */
export const FLAGS = [
  'unrecognised',
  'critical',
  'conflict',
  'high',
  'low',
  'abnormal',
  'notAssessed',
  'noRange',
  'normal',
] as const;
export type FlagName = (typeof FLAGS)[number];

/** What in a result contradicts what; each has a sentence in the catalogues (`conflict.<reason>`). */
const CONFLICTS = [
  'bothSides',
  'rangeReversed',
  'flagAgainstNumbers',
  'readingAgainstFlags',
  'resultAgainstValue',
] as const;
export type Conflict = (typeof CONFLICTS)[number];

/** What the data of one result says, and nothing beyond: no threshold here is ours. */
export interface Reading {
  readonly flag: FlagName;
  /** Said beside the flag where the flag itself doesn't. */
  readonly direction: 'high' | 'low' | undefined;
  readonly conflicts: readonly Conflict[];
  /** Values of open lists that this program doesn't know, as they came. */
  readonly unrecognised: readonly string[];
  readonly range: ReferenceRange;
  /** The laboratory calls it normal without a range to see that by. */
  readonly reportedNormal: boolean;
  readonly side: Side | undefined;
  /** In widths of the range; infinite where only a flag says that it is outside. */
  readonly distance: number;
}

export function readingOf(result: BiomarkerResult): Reading {
  const range = rangeOf(result);
  const value = finite(result.value);
  const side = sideOf(value, range);
  const unrecognised = [
    ...unknownOf(result.interpretation, Object.values(INTERPRETATIONS)),
    ...unknownOf(result.type, Object.values(BIOMARKER_TYPES)),
  ];
  const conflicts = conflictsOf(result, range, side);
  const direction = directionOf(result, side);
  const flag = flagOf(result, { side, direction, conflicts, unrecognised, range });
  return {
    flag,
    direction,
    conflicts,
    unrecognised,
    range,
    reportedNormal: flag === 'noRange' && result.interpretation === INTERPRETATIONS.normal,
    side,
    distance: outsideBy(value, range, direction),
  };
}

/** The value of an open list, where it is none of the known ones; also where it differs in its case alone. */
export function unknownOf(value: string | null | undefined, known: readonly string[]): string[] {
  return value === null || value === undefined || known.includes(value) ? [] : [value];
}

function flagOf(
  result: BiomarkerResult,
  read: Pick<Reading, 'side' | 'direction' | 'conflicts' | 'unrecognised' | 'range'>,
): FlagName {
  const { interpretation } = result;
  // From the most to the least alarming; what can't be understood is never calmed down by what can.
  if (read.unrecognised.length > 0) return 'unrecognised';
  if (interpretation === INTERPRETATIONS.critical) return 'critical';
  if (read.conflicts.length > 0) return 'conflict';
  if (read.direction !== undefined) return read.direction;
  if (interpretation === INTERPRETATIONS.abnormal) return 'abnormal';
  // Neither the laboratory's word nor its flags make a range where it gave none.
  if (read.range.kind === 'none') return 'noRange';
  if (interpretation === INTERPRETATIONS.unknown) return 'notAssessed';
  const flaggedInside = result.is_above_max_range === false && result.is_below_min_range === false;
  const saidNormal = interpretation === INTERPRETATIONS.normal;
  return saidNormal || read.side === 'inside' || flaggedInside ? 'normal' : 'notAssessed';
}

function directionOf(result: BiomarkerResult, side: Side | undefined): Reading['direction'] {
  const above = result.is_above_max_range === true || side === 'above';
  const below = result.is_below_min_range === true || side === 'below';
  if (above === below) return undefined;
  return above ? 'high' : 'low';
}

function conflictsOf(
  result: BiomarkerResult,
  range: ReferenceRange,
  side: Side | undefined,
): Conflict[] {
  const { is_above_max_range: above, is_below_min_range: below, interpretation } = result;
  const flagWrong = (flag: boolean | null | undefined, at: Side): boolean =>
    side !== undefined && typeof flag === 'boolean' && flag !== (side === at);
  const outside = above === true || below === true || side === 'above' || side === 'below';
  const found: Readonly<Record<Conflict, boolean>> = {
    bothSides: above === true && below === true,
    rangeReversed: range.kind === 'broken',
    flagAgainstNumbers: flagWrong(above, 'above') || flagWrong(below, 'below'),
    readingAgainstFlags: interpretation === INTERPRETATIONS.normal && outside,
    resultAgainstValue: differs(result.result, finite(result.value)),
  };
  return CONFLICTS.filter((conflict) => found[conflict]);
}

/** Whether the result is a plain number and another one than the value, beyond what was rounded away. */
function differs(result: string, value: number | undefined): boolean {
  const plain = /^\s*[+-]?\d{1,15}(?:\.(\d{1,15}))?\s*$/u.exec(result);
  if (plain === null || value === undefined) return false;
  const halfStep = 0.5 * 10 ** -(plain[1]?.length ?? 0);
  const slack = Math.abs(value) * 1e-9;
  return Math.abs(Number(result) - value) > halfStep + slack;
}

function outsideBy(
  value: number | undefined,
  range: ReferenceRange,
  direction: Reading['direction'],
): number {
  const measured = value === undefined ? 0 : distanceOutside(value, range);
  return measured === 0 && direction !== undefined ? Number.POSITIVE_INFINITY : measured;
}
