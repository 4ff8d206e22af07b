const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const bytesOfUuid = 16;

/** Several lower-case UUIDs as one base64url text, 22 characters each instead of 39; undefined if one is no such UUID. */
export function packUuids(uuids: readonly string[]): string | undefined {
  return uuids.every((one) => uuid.test(one))
    ? Buffer.from(uuids.join('').replaceAll('-', ''), 'hex').toString('base64url')
    : undefined;
}

/** @throws RangeError if the text is not whole UUIDs */
export function unpackUuids(packed: string): string[] {
  const bytes = Buffer.from(packed, 'base64url');
  if (bytes.length % bytesOfUuid !== 0 || bytes.toString('base64url') !== packed) {
    throw new RangeError('Not a packed list of UUIDs');
  }
  return Array.from({ length: bytes.length / bytesOfUuid }, (_, at) => {
    const hex = bytes.toString('hex', at * bytesOfUuid, (at + 1) * bytesOfUuid);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
  });
}
