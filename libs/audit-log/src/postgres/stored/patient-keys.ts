/**
 * A patient in the index: the last 16 bits of their id, signed. Few enough that the index stays small however many patients
 * there are, and enough that it finds hardly a record of somebody else; which records name the patient, their bodies say.
 * 0 for an id that does not end with four lower-case hexadecimal digits.
 */
export function patientKey(id: string): number {
  const digits = /[0-9a-f]{4}$/u.exec(id)?.[0] ?? '0';
  return Buffer.from(digits.padStart(4, '0'), 'hex').readInt16BE();
}

/** The keys of the patients of a record as PostgreSQL writes a `smallint[]`, in ascending order; null without patients. */
export function patientKeys(ids: readonly string[]): string | null {
  const keys = [...new Set(ids.map(patientKey))].sort((one, other) => one - other);
  return keys.length === 0 ? null : `{${keys.join()}}`;
}

/**
 * A condition on `audit_event e` that holds for each record that names this patient, and for hardly another: the body of a
 * record decides. Of several patients, a body has their ids as one base64url text, in which an id may begin at any bit pair.
 *
 * @param patient a lower-case UUID
 * @param slot adds a value of the query and returns its placeholder
 */
export function namesPatient(patient: string, slot: (value: unknown) => string): string {
  const texts = [JSON.stringify(patient), ...packedForms(patient)];
  const isInBody = texts.map((text) => `position(${slot(text)} in e.body) > 0`);
  return `(e.patients @> array[${slot(patientKey(patient))}::smallint] and (${isInBody.join(' or ')}))`;
}

const bytesOfUuid = 16;

/** The characters of a UUID in base64url that nothing beside it changes, where it begins 0, 1 or 2 bytes into three. */
function packedForms(uuid: string): string[] {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  return bytes.length === bytesOfUuid
    ? [0, 1, 2].map((at) => {
        const text = Buffer.concat([Buffer.alloc(at), bytes]).toString('base64url');
        const [from, to] = [Math.ceil((8 * at) / 6), Math.floor((8 * (at + bytesOfUuid)) / 6)];
        return text.slice(from, to);
      })
    : [];
}
