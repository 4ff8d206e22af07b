import { BIOMARKER_TYPES } from '@caregate/domain';
import { validateBiomarkerResult, validateMissingBiomarkerResult } from '@caregate/domain/validate';
import { parseExactly } from '../json/exact-json.ts';
import { describeIssue } from '../store/import/import-types.ts';

type Json = Record<string, unknown>;
type Issues = readonly Parameters<typeof describeIssue>[0][];

/**
 * Makes all items of a lab result valid, so that one invalid item doesn't prevent reading the report. An item without
 * `result` gets the text of its number; any other invalid item is listed in `missing_results` with what is wrong. A
 * valid report is returned unchanged.
 */
export function repairOddResults(text: string): string {
  const report = parseObject(text);
  const results = report?.['results'];
  if (!Array.isArray(results)) {
    return text;
  }
  const missing = toArray(report?.['missing_results']);
  if (
    results.every((item) => validateBiomarkerResult(item).ok) &&
    missing.every((item) => validateMissingBiomarkerResult(item).ok)
  ) {
    return text;
  }
  // The validators need numbers; the answer is built from the same items with every digit.
  const exact = parseExactly(text) as Json;
  const exactMissing = toArray(exact['missing_results']);
  const measured: unknown[] = [];
  const unreadable: unknown[] = [];
  toArray(exact['results']).forEach((exactItem, at) => {
    const addText = (item: unknown): unknown =>
      hasOnlyNumber(results[at]) && isObject(exactItem)
        ? { ...(item as Json), result: JSON.stringify(exactItem['value']) }
        : item;
    const verdict = validateBiomarkerResult(addText(results[at]));
    if (verdict.ok) {
      measured.push(addText(exactItem));
    } else {
      unreadable.push(buildUnreadableItem(`results[${at}]`, results[at], verdict.issues));
    }
  });
  const readable = missing.map((item, at) => {
    const verdict = validateMissingBiomarkerResult(item);
    return verdict.ok
      ? exactMissing[at]
      : buildUnreadableItem(`missing_results[${at}]`, item, verdict.issues);
  });
  return JSON.stringify({
    ...exact,
    results: measured,
    missing_results: [...readable, ...unreadable],
  });
}

/** Whether the item has a number, which may be copied to its `result` as text. */
function hasOnlyNumber(item: unknown): boolean {
  const { result, value, type } = isObject(item) ? item : {};
  const isNumeric = (type ?? BIOMARKER_TYPES.numeric) === BIOMARKER_TYPES.numeric;
  return (result ?? null) === null && typeof value === 'number' && isNumeric;
}

function buildUnreadableItem(place: string, item: unknown, issues: Issues): object {
  const { name, slug, loinc } = isObject(item) ? item : {};
  const hasText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
  const reasons = issues.map((issue) => {
    const { path, message } = describeIssue(issue);
    return `${path} ${message}`.trim();
  });
  return {
    name: hasText(name) ? name : 'Unnamed test',
    slug: hasText(slug) ? slug : '',
    ...(hasText(loinc) && { loinc }),
    note: `This result could not be read: ${place} ${reasons.join('; ')}. Ask the laboratory for it.`,
  };
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
