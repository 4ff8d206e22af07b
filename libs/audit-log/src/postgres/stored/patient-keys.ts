/**
 * The last 16 bits of a patient's id, signed: a small index that rarely finds another patient; the body decides. 0 for other
 * ids.
 */
export function patientKey(id: string): number {
  const digits = /[0-9a-f]{4}$/u.exec(id)?.[0] ?? '0';
  return Buffer.from(digits.padStart(4, '0'), 'hex').readInt16BE();
}

/** A `smallint[]` literal, ascending; null without patients. */
export function patientKeys(ids: readonly string[]): string | null {
  const keys = [...new Set(ids.map(patientKey))].sort((one, other) => one - other);
  return keys.length === 0 ? null : `{${keys.join()}}`;
}

/**
 * A condition on `audit_event e` that holds for each record of this patient, and rarely for another; the body decides. A packed
 * list may contain the id at any of three alignments.
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

/** The base64url characters of a UUID that its neighbours don't change, at each alignment. */
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
