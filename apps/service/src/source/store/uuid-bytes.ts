const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** The 16 bytes of a uuid in its usual form, either case; `undefined` for any other text. */
export function uuidBytes(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** The usual form of 16 bytes, lower case. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
