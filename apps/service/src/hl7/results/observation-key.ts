interface Coded {
  readonly name: string;
  readonly loinc?: string | null;
  readonly provider_id?: string | null;
  readonly sub_id?: string;
}

/** Code and sub-id of a result, reported or in the store: the laboratory's own code, else LOINC, else its name. */
export function observationKey({ provider_id, loinc, name, sub_id = '' }: Coded): string {
  const code =
    typeof provider_id === 'string'
      ? { provider_id }
      : typeof loinc === 'string'
        ? { loinc }
        : { name };
  return JSON.stringify({ ...code, sub_id });
}
