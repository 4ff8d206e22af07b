import { getMaxLength, type OrderPhysician } from '@caregate/domain';
import { requireTime } from '../hl7-time.ts';
import type { ReportedPatient } from '../report.ts';
import type { Repetition, Segment } from '../segment.ts';

/** Reads PID. A message without PID has a patient without any details. @throws RefusedMessage */
export function readPatient(pid: Segment | undefined): ReportedPatient {
  const ids = ([2, 3] as const).flatMap((field) =>
    (pid?.getRepetitions(field) ?? []).flatMap((each) => {
      const id = each.getComponent(1);
      requireLength(pid, field, 'client_user_id', id);
      const authority = each.getComponent(4, 1) ?? each.getComponent(4, 2) ?? '';
      return id === undefined ? [] : [{ id, authority, field: `PID-${field}` as const }];
    }),
  );
  const names = pid?.getRepetitions(5) ?? [];
  names.forEach((name) => {
    requireLength(pid, 5, 'name', readName(name, 1));
  });
  const legal = names.find((name) => name.getComponent(7) === 'L') ?? names[0];
  return {
    ids,
    birthDate: pid === undefined ? undefined : requireTime(pid, 7)?.day,
    name: legal === undefined ? undefined : readName(legal, 1),
    names: names.flatMap((name) => readName(name, 1) ?? []),
  };
}

/** @throws RefusedMessage if the text is longer than import accepts for this field */
function requireLength(
  segment: Segment | undefined,
  field: number,
  name: string,
  text: string | undefined,
): void {
  const most = getMaxLength(name);
  if (text !== undefined && text.length > most) {
    const limit = most.toLocaleString('en');
    segment?.refuse('dataType', field, `The field must have at most ${limit} characters.`);
  }
}

/** Reads the ordering provider (OBR-16). */
export function readProvider(obr: Segment): { name?: string; physician?: OrderPhysician } {
  const [provider] = obr.getRepetitions(16);
  const name = provider === undefined ? undefined : readName(provider, 2);
  if (provider === undefined || name === undefined) {
    return {};
  }
  const isNpi = [provider.getComponent(9, 1), provider.getComponent(13)].includes('NPI');
  return {
    name,
    physician: {
      first_name: provider.getComponent(3) ?? null,
      last_name: provider.getComponent(2, 1) ?? null,
      npi: (isNpi ? provider.getComponent(1) : undefined) ?? null,
    },
  };
}

/**
 * Joins given names, family name and suffix.
 * @param family number of the component with the family name; the others follow it
 */
function readName(repetition: Repetition, family: number): string | undefined {
  const [given, others, suffix] = [1, 2, 3].map((after) => repetition.getComponent(family + after));
  const parts = [given, others, repetition.getComponent(family, 1), suffix];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}
