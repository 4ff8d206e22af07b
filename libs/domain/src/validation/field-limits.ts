import type { Issue } from './verdict.ts';

/**
 * Maximum length in UTF-16 code units that import accepts for a text, by field name. docs/import.md has the same
 * table.
 */
export const FIELD_LIMITS: readonly {
  readonly fields: readonly string[];
  readonly most: number;
}[] = [
  {
    fields: [
      ...['client_user_id', 'id', 'member_id', 'group_id', 'payor_code', 'sample_id', 'npi'],
      ...['specimen_number', 'clia_number', 'loinc', 'loinc_slug', 'provider_id', 'sub_id'],
      ...['code', 'number'],
    ],
    most: 1024,
  },
  {
    fields: [
      ...['first_name', 'last_name', 'name', 'slug', 'source_slug', 'patient', 'patient_name'],
      ...['receiver_name', 'provider', 'laboratory', 'email', 'phone_number', 'gender', 'dob'],
      ...['first_line', 'second_line', 'zip', 'zip_code', 'city', 'state', 'country', 'type'],
      ...['relationship', 'unit', 'status', 'low_level_status', 'interpretation', 'origin'],
      ...['sample_type', 'method', 'inferred_failure_type'],
    ],
    most: 500,
  },
];

/**
 * Maximum length of all other texts: results, notes, reference ranges, and fields that the interface document doesn't
 * have.
 */
export const LONGEST_TEXT = 65_536;

const BY_NAME = new Map(
  FIELD_LIMITS.flatMap(({ fields, most }) => fields.map((field) => [field, most] as const)),
);

export function getMaxLength(field: string): number {
  return BY_NAME.get(field) ?? LONGEST_TEXT;
}

/** Finds texts and field names that are too long. @throws RangeError if the value is nested too deeply */
export function findLengthIssues(value: unknown): Issue[] {
  const issues: Issue[] = [];
  collect(value, { name: '', path: [] }, issues);
  return issues;
}

const SHORTEST = Math.min(...FIELD_LIMITS.map(({ most }) => most));

/**
 * @param at the field name, which also applies to the items of a list, and the path. All calls share one mutable
 * path, since copying it would be slow.
 */
function collect(
  value: unknown,
  at: { readonly name: string; readonly path: (string | number)[] },
  issues: Issue[],
): void {
  const { name, path } = at;
  if (typeof value === 'string') {
    if (value.length > SHORTEST && value.length > getMaxLength(name)) {
      const message = `must have at most ${getMaxLength(name).toLocaleString('en')} characters`;
      issues.push({ path: [...path], message });
    }
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    const members = value as Readonly<Record<string, unknown>>;
    for (const member of Object.keys(value)) {
      if (member.length > getMaxLength('name')) {
        const message = `has a field whose name is longer than ${getMaxLength('name')} characters`;
        issues.push({ path: [...path], message });
      }
      path.push(isList ? Number(member) : member);
      collect(members[member], isList ? at : { name: member, path }, issues);
      path.pop();
    }
  }
}
