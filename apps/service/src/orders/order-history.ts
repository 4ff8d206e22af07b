import {
  type BiomarkerHistory,
  type BiomarkerResult,
  type EarlierResult,
  isSameTest,
  type LabOrderResult,
  type LabResultMetadata,
  type OrderHistory,
  identifyTests,
  identifyVersionTests,
  type TestIdentity,
} from '@caregate/domain';
import type { StoredHistory } from '@caregate/data-store';
import { parseBirthDate, splitWords } from '@caregate/data-store';

const MOST_EARLIER = 10;

interface Report {
  readonly orderId: string;
  /** Date of the report, YYYY-MM-DD. */
  readonly date: string;
  readonly result: LabOrderResult;
  /** Identities of the tests in `result`, in the same order. */
  readonly identities: readonly TestIdentity[];
  /** Before its last correction. */
  readonly replaced: LabOrderResult | undefined;
}

/** @param pause yields to other requests, since comparing the reports takes ten times as long as most requests */
export async function buildHistory(
  orderId: string,
  stored: StoredHistory,
  pause: () => Promise<void>,
): Promise<OrderHistory> {
  const own = toReport({ orderId, body: stored.body });
  const others = await Array.fromAsync(stored.others, async (other) => {
    await pause();
    return toReport(other);
  });
  const earlier = others
    .filter(({ date }) => date !== '' && date < own.date)
    .toSorted((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0));
  const samePersonReports = earlier.filter(({ result }) => isSamePerson(own.result, result));
  const biomarkers: BiomarkerHistory[] = [];
  for (const [place, measured] of own.result.results.entries()) {
    await pause();
    biomarkers.push({
      place,
      name: measured.name,
      slug: measured.slug,
      loinc: measured.loinc ?? null,
      unit: measured.unit ?? null,
      earlier: samePersonReports
        .flatMap((report) => findEarlierResults(report, measured, own.identities[place]))
        .slice(0, MOST_EARLIER),
    });
  }
  const { replaced } = stored;
  return {
    order_id: orderId,
    biomarkers: biomarkers.filter((each) => each.earlier.length > 0),
    replaced:
      replaced === undefined
        ? null
        : {
            replaced_at: new Date(replaced.atUs / 1000).toISOString(),
            result: JSON.parse(replaced.body) as LabOrderResult,
          },
    left_out: earlier.length - samePersonReports.length,
  };
}

function toReport(stored: {
  readonly orderId: string;
  readonly body: string;
  readonly replaced?: string | undefined;
}): Report {
  const { orderId, body, replaced } = stored;
  const result = JSON.parse(body) as LabOrderResult;
  const {
    date_collected: collected,
    date_received: received,
    date_reported: reported,
  } = result.metadata;
  const date = collected ?? received ?? reported ?? '';
  const before = replaced === undefined ? undefined : (JSON.parse(replaced) as LabOrderResult);
  return {
    orderId,
    date,
    result,
    identities: identifyTests(result.results),
    // A correction may change whom the report is about.
    replaced: before !== undefined && isSamePerson(result, before) ? before : undefined,
  };
}

function findEarlierResults(
  { orderId, date, result, identities, replaced }: Report,
  biomarker: BiomarkerResult,
  identity: TestIdentity | undefined,
): EarlierResult[] {
  const measured = result.results.find((each, place) => {
    const other = identities[place];
    const isSame = identity !== undefined && other !== undefined && isSameTest(identity, other);
    return isSame && (biomarker.unit ?? '') === (each.unit ?? '');
  });
  if (measured === undefined) return [];
  const before = replaced && readReplaced(measured, result, replaced);
  return [{ order_id: orderId, date, measured, ...(before && { replaced: before }) }];
}

/** Returns the result that a correction replaced by another value or unit. */
function readReplaced(
  measured: BiomarkerResult,
  report: LabOrderResult,
  replaced: LabOrderResult,
): BiomarkerResult | undefined {
  const own = identifyVersionTests(report.results)[report.results.indexOf(measured)];
  const before = identifyVersionTests(replaced.results);
  const found = replaced.results.find((_, place) => {
    const other = before[place];
    return own !== undefined && other !== undefined && isSameTest(own, other);
  });
  const isChanged =
    found?.result !== measured.result || (found.unit ?? '') !== (measured.unit ?? '');
  return isChanged ? found : undefined;
}

/**
 * Whether two reports may be about the same person. A different first name, last name or birth date means no; a
 * missing one, or a different middle name, doesn't.
 */
function isSamePerson(
  { metadata: one }: LabOrderResult,
  { metadata: other }: LabOrderResult,
): boolean {
  return (
    isSame(one, other, ({ patient }) => normalizeName(patient ?? '')) &&
    isSame(one, other, ({ dob }) => parseBirthDate(dob?.trim()) ?? dob?.trim() ?? '')
  );
}

/**
 * Removes middle names and initials, and sorts the two remaining names, since the last name may come first, with or
 * without a comma: `Lind, Ana M` and `Ana Lind` both become `ana lind`.
 */
function normalizeName(name: string): string {
  const [before = '', after = ''] = name.split(',', 2);
  const words = splitWords(`${after} ${before}`);
  const long = words.filter((word) => Array.from(word).length > 1);
  const [first = '', ...more] = long.length > 1 ? long : words;
  return [first, more.at(-1) ?? ''].toSorted().join(' ').trim();
}

function isSame(
  one: LabResultMetadata,
  other: LabResultMetadata,
  read: (metadata: LabResultMetadata) => string,
): boolean {
  const [mine, theirs] = [read(one), read(other)];
  return mine === '' || theirs === '' || mine === theirs;
}
