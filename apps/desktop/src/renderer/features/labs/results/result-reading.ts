import { BIOMARKER_TYPES, INTERPRETATIONS, readMeasuredNumber } from '@caregate/domain';
import type { BiomarkerResult } from '@caregate/domain';
import { readRange, findSide, type ReferenceRange, type Side } from './reference-range.ts';

/** A result is `normal` only if it has a range and there is evidence that it is inside. */
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

const CONFLICTS = [
  'bothSides',
  'rangeReversed',
  'flagAgainstNumbers',
  'readingAgainstFlags',
  'resultAgainstValue',
] as const;
export type Conflict = (typeof CONFLICTS)[number];

/** How a result compares with the range and the flags that the laboratory sent. */
export interface Reading {
  readonly flag: FlagName;
  readonly direction: 'high' | 'low' | undefined;
  readonly conflicts: readonly Conflict[];
  readonly unrecognised: readonly string[];
  readonly range: ReferenceRange;
  readonly side: Side | undefined;
}

export function interpretResult(result: BiomarkerResult): Reading {
  const range = readRange(result);
  const value = readMeasuredNumber(result);
  const side = findSide(value, range);
  const unrecognised = [
    ...findUnknown(result.interpretation, Object.values(INTERPRETATIONS)),
    ...findUnknown(result.type, Object.values(BIOMARKER_TYPES)),
  ];
  const conflicts = findConflicts(result, range, side);
  const direction = findDirection(result, side);
  const flag = chooseFlag(result, { side, direction, conflicts, unrecognised, range });
  return { flag, direction, conflicts, unrecognised, range, side };
}

/** Whether a result needs attention. Unknown words count as abnormal. */
export function isFlagged({ flag }: Pick<Reading, 'flag'>): boolean {
  return !['normal', 'notAssessed', 'noRange'].includes(flag);
}

export function findUnknown(
  value: string | null | undefined,
  knownValues: readonly string[],
): string[] {
  return value === null || value === undefined || knownValues.includes(value) ? [] : [value];
}

function chooseFlag(
  result: BiomarkerResult,
  read: Pick<Reading, 'side' | 'direction' | 'conflicts' | 'unrecognised' | 'range'>,
): FlagName {
  const { interpretation } = result;
  // Unknown words take precedence, followed by the other flags in the order of their urgency.
  if (read.unrecognised.length > 0) return 'unrecognised';
  if (interpretation === INTERPRETATIONS.critical) return 'critical';
  if (read.conflicts.length > 0) return 'conflict';
  if (read.direction !== undefined) return read.direction;
  if (interpretation === INTERPRETATIONS.abnormal) return 'abnormal';
  if (read.range.kind === 'none' && read.range.written === undefined) return 'noRange';
  if (interpretation === INTERPRETATIONS.unknown) return 'notAssessed';
  const isFlaggedInside =
    result.is_above_max_range === false && result.is_below_min_range === false;
  const isReportedNormal = interpretation === INTERPRETATIONS.normal;
  return isReportedNormal || read.side === 'inside' || isFlaggedInside ? 'normal' : 'notAssessed';
}

function findDirection(result: BiomarkerResult, side: Side | undefined): Reading['direction'] {
  const above = result.is_above_max_range === true || side === 'above';
  const below = result.is_below_min_range === true || side === 'below';
  if (above === below) return undefined;
  return above ? 'high' : 'low';
}

function findConflicts(
  result: BiomarkerResult,
  range: ReferenceRange,
  side: Side | undefined,
): Conflict[] {
  const { is_above_max_range: above, is_below_min_range: below, interpretation } = result;
  const isWrongFlag = (flag: boolean | null | undefined, at: Side): boolean =>
    side !== undefined && typeof flag === 'boolean' && flag !== (side === at);
  const value = readMeasuredNumber(result);
  const outside = above === true || below === true || side === 'above' || side === 'below';
  const found: Readonly<Record<Conflict, boolean>> = {
    bothSides: above === true && below === true,
    rangeReversed: range.kind === 'broken',
    // A bound may be exclusive, so a value equal to it is consistent with a flag on that side.
    flagAgainstNumbers:
      (isWrongFlag(above, 'above') && !(above === true && value === range.max)) ||
      (isWrongFlag(below, 'below') && !(below === true && value === range.min)),
    readingAgainstFlags: interpretation === INTERPRETATIONS.normal && outside,
    resultAgainstValue: differs(result.result, value),
  };
  return CONFLICTS.filter((conflict) => found[conflict]);
}

/** Whether the result is written as a number that differs from `value` by more than rounding. */
function differs(result: string, value: number | undefined): boolean {
  const plain = /^\s*[+-]?\d{1,15}(?:\.(\d{1,15}))?\s*$/u.exec(result);
  if (plain === null || value === undefined) return false;
  const halfStep = 0.5 * 10 ** -(plain[1]?.length ?? 0);
  const slack = Math.abs(value) * 1e-9;
  return Math.abs(Number(result) - value) > halfStep + slack;
}
