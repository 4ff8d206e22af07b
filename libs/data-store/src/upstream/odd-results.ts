import { BIOMARKER_TYPES } from '@caregate/domain';
import { validateBiomarkerResult, validateMissingBiomarkerResult } from '@caregate/domain/validate';
import { describeIssue } from '../store/import/import-types.ts';
import { readElements, readMembers, formatOtherMembers } from '../json/json-members.ts';

/**
 * Makes all items of a lab result valid, so that one invalid item doesn't prevent reading the report. An item without
 * `result` gets the text of its number; any other invalid item is listed in `missing_results` with what is wrong. A
 * valid report is returned unchanged.
 */
export function repairOddResults(text: string): string {
  const report = parseObject(text);
  if (!Array.isArray(report?.['results'])) {
    return text;
  }
  const { results, missing_results: missing } = report;
  const isMissingOdd = Array.isArray(missing) && missing.some((item) => !isMissing(item));
  if (results.every((item) => validateBiomarkerResult(item).ok) && !isMissingOdd) {
    return text;
  }
  const members = readMembers(text);
  const measured: string[] = [];
  const unreadable: string[] = [];
  listTexts(members.get('results'), results).forEach((item, at) => {
    const repaired = withText(item, results[at]);
    const verdict = validateBiomarkerResult(parseObject(repaired) ?? results[at]);
    if (verdict.ok) {
      measured.push(repaired);
    } else {
      unreadable.push(
        buildUnreadableItem(`results[${at}]`, results[at], verdict.issues.map(formatIssue)),
      );
    }
  });
  const others = Array.isArray(missing) ? missing : [];
  const texts = listTexts(members.get('missing_results'), others).map((item, at) => {
    const verdict = validateMissingBiomarkerResult(others[at]);
    return verdict.ok
      ? item
      : buildUnreadableItem(`missing_results[${at}]`, others[at], verdict.issues.map(formatIssue));
  });
  const all = [...texts, ...unreadable];
  return `{"results":[${measured.join(',')}],"missing_results":[${all.join(',')}]${formatOtherMembers(members, ['results', 'missing_results'])}}`;
}

const isMissing = (item: unknown): boolean => validateMissingBiomarkerResult(item).ok;

/** Returns the original texts, with every digit, if all items are objects. */
function listTexts(text: string | undefined, items: readonly unknown[]): string[] {
  return text !== undefined && items.every((item) => isObject(item))
    ? readElements(text)
    : items.map((item) => JSON.stringify(item));
}

/** Copies `value` to `result` as text, if that makes the item valid. */
function withText(text: string, item: unknown): string {
  if (!isObject(item) || (item['result'] !== undefined && item['result'] !== null)) {
    return text;
  }
  const { numeric } = BIOMARKER_TYPES;
  const isNumber = item['type'] === undefined || item['type'] === null || item['type'] === numeric;
  if (typeof item['value'] !== 'number' || !isNumber) {
    return text;
  }
  const members = readMembers(text);
  return `{"result":${JSON.stringify(members.get('value'))}${formatOtherMembers(members, ['result'])}}`;
}

function buildUnreadableItem(place: string, item: unknown, issues: readonly string[]): string {
  const { name, slug, loinc } = isObject(item) ? item : {};
  const hasText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
  return JSON.stringify({
    name: hasText(name) ? name : 'Unnamed test',
    slug: hasText(slug) ? slug : '',
    ...(hasText(loinc) && { loinc }),
    note: `This result could not be read: ${place} ${issues.join('; ')}. Ask the laboratory for it.`,
  });
}

function formatIssue(issue: Parameters<typeof describeIssue>[0]): string {
  const { path, message } = describeIssue(issue);
  return `${path} ${message}`.trim();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
