import { isPlaceholder, type LaboratoryMembers } from '@caregate/domain';

interface Coded extends LaboratoryMembers {
  readonly name: string;
  readonly loinc?: string | null;
  readonly provider_id?: string | null;
  readonly unit?: string | null | undefined;
}

/**
 * Identifies a result within an order, in a message and in the store, by test, sub-ID, and panel with its filler
 * number. The test is identified by the laboratory's own code, else by LOINC, else by name and unit.
 */
export function buildObservationKey({ panel = {}, sub_id = '', ...coded }: Coded): string {
  return JSON.stringify([
    ...[buildTestKey(coded), sub_id],
    ...[panel.code ?? panel.name ?? null, panel.number ?? null],
  ]);
}

function buildTestKey({ loinc, name, provider_id, unit }: Coded): string {
  if (isCode(provider_id)) {
    return JSON.stringify({ provider_id });
  }
  if (isCode(loinc)) {
    return JSON.stringify({ loinc });
  }
  return JSON.stringify(isPlaceholder(name) ? { name, unit } : { name });
}

function isCode(code: string | null | undefined): code is string {
  return typeof code === 'string' && !isPlaceholder(code);
}

/**
 * Finds the stored key that a reported result replaces: the same key, or else the only one with the same test and
 * sub-ID whose panel doesn't contradict the reported one. A correction may change or leave out the panel's number;
 * any other result may only leave it out.
 */
export function findReplacedKey(
  key: string,
  storedKeys: Iterable<string>,
  isCorrection: boolean,
): string | undefined {
  const [test, subId, panel, number] = parseKey(key);
  const all = [...storedKeys];
  const same = all.filter((each) => {
    const [storedTest, storedSubId, storedPanel, storedNumber] = parseKey(each);
    if (storedTest !== test || storedSubId !== subId) {
      return false;
    }
    return isCorrection
      ? storedPanel === panel || storedPanel === null || panel === null
      : storedPanel === panel && (storedNumber === null || number === null);
  });
  return all.includes(key) ? key : same.length === 1 ? same[0] : undefined;
}

function parseKey(key: string): (string | null)[] {
  return JSON.parse(key) as (string | null)[];
}
