import { isPlaceholder, type LaboratoryMembers } from '@caregate/domain';

interface Coded extends LaboratoryMembers {
  readonly name: string;
  readonly loinc?: string | null;
  readonly provider_id?: string | null;
  readonly unit?: string | null | undefined;
}

/**
 * Tells the results of an order apart, in a message and in the store: by test, sub-id, and the panel with its filler number. The test
 * is the laboratory's own code, else LOINC, else name and unit.
 */
export function observationKey({ panel = {}, sub_id = '', ...coded }: Coded): string {
  return JSON.stringify([
    ...[testKey(coded), sub_id],
    ...[panel.code ?? panel.name ?? null, panel.number ?? null],
  ]);
}

function testKey({ loinc, name, provider_id, unit }: Coded): string {
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
 * The key among `kept` that a reported result replaces: its own; else the only one of the same test and sub-id whose panel agrees as far
 * as both say it. A correction may leave out or change the panel's number, and any result that is not corrected may only leave it out.
 */
export function replacedKey(
  key: string,
  kept: Iterable<string>,
  isCorrection: boolean,
): string | undefined {
  const [test, subId, panel, number] = parts(key);
  const all = [...kept];
  const same = all.filter((each) => {
    const [keptTest, keptSubId, keptPanel, keptNumber] = parts(each);
    if (keptTest !== test || keptSubId !== subId) {
      return false;
    }
    return isCorrection
      ? keptPanel === panel || keptPanel === null || panel === null
      : keptPanel === panel && (keptNumber === null || number === null);
  });
  return all.includes(key) ? key : same.length === 1 ? same[0] : undefined;
}

function parts(key: string): (string | null)[] {
  return JSON.parse(key) as (string | null)[];
}
