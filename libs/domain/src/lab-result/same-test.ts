import type { BiomarkerResult } from '../generated/types.ts';
import { isPlaceholder, readPanel, readSubId } from './own-members.ts';

/** Members that identify a test, the most reliable first. */
const MEMBERS = ['loinc', 'slug', 'providerId', 'nameAndUnit'] as const;

type Members = Readonly<Record<(typeof MEMBERS)[number], string | undefined>>;

/** Identifies the test of a result, within its report and across reports of the same patient. */
export interface TestIdentity {
  /** The members of the result; undefined where it has none or only a placeholder. */
  readonly sent: Members;
  /** The members that no other result of the report shares. */
  readonly unique: Members;
}

/**
 * Returns an identity for each result, in the same order. Results with the same code are distinguished by their
 * panels.
 */
export function identifyTests(results: readonly BiomarkerResult[]): TestIdentity[] {
  return identify(results, getPanelKey);
}

/** Like `identifyTests`, for versions of one report, where the laboratory's sub-IDs also distinguish results. */
export function identifyVersionTests(results: readonly BiomarkerResult[]): TestIdentity[] {
  return identify(results, (result) =>
    JSON.stringify([getPanelKey(result), readSubId(result) ?? '']),
  );
}

/** Whether both results are of the same test; false if nothing identifies it. */
export function isSameTest(one: TestIdentity, other: TestIdentity): boolean {
  for (const name of MEMBERS) {
    if (one.sent[name] !== undefined && other.sent[name] !== undefined) {
      if (one.sent[name] !== other.sent[name]) return false;
      if (one.unique[name] !== undefined && other.unique[name] !== undefined) {
        return one.unique[name] === other.unique[name];
      }
    }
  }
  return false;
}

function identify(
  results: readonly BiomarkerResult[],
  getQualifier: (result: BiomarkerResult) => string,
): TestIdentity[] {
  const sent = results.map((result): Members => ({
    loinc: normalizeCode(result.loinc),
    slug: normalizeCode(result.slug),
    providerId: normalizeCode(result.provider_id),
    nameAndUnit: buildNameAndUnitKey(result),
  }));
  const qualifiers = results.map(getQualifier);
  const unique = MEMBERS.map((name) =>
    filterUnique(
      sent.map((members) => members[name]),
      qualifiers,
    ),
  );
  return sent.map((members, place) => ({
    sent: members,
    unique: Object.fromEntries(MEMBERS.map((name, at) => [name, unique[at]?.[place]])) as Members,
  }));
}

/** Keeps the texts that identify a single result, if necessary together with its panel or sub-ID. */
function filterUnique(
  texts: readonly (string | undefined)[],
  qualifiers: readonly string[],
): (string | undefined)[] {
  const isShared = findRepeated(texts);
  const qualified = texts.map((text, place) =>
    text !== undefined && isShared.has(text) ? `${text} ${qualifiers[place] ?? ''}` : text,
  );
  const isAmbiguous = findRepeated(qualified);
  return qualified.map((text) => (text === undefined || isAmbiguous.has(text) ? undefined : text));
}

function findRepeated(texts: readonly (string | undefined)[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const text of texts) {
    if (text !== undefined) (seen.has(text) ? repeated : seen).add(text);
  }
  return repeated;
}

function normalizeCode(code: string | null | undefined): string | undefined {
  const text = code?.trim() ?? '';
  return isPlaceholder(text) ? undefined : text;
}

function buildNameAndUnitKey({ name, unit }: BiomarkerResult): string | undefined {
  const text = normalizeCode(name);
  return text && JSON.stringify([text.toLowerCase(), unit?.trim() ?? '']);
}

function getPanelKey(result: BiomarkerResult): string {
  const panel = readPanel(result);
  return panel?.code ?? panel?.name ?? '';
}
