/** All supported versions of Node have these functions of ES2026, but TypeScript's types don't yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => boolean;
};
export { isRawJSON };

/**
 * Parses JSON so that `JSON.stringify` writes the digits of each number again. A number that JavaScript would format
 * differently, such as 1.50 or 12345678901234567890, becomes a raw JSON object.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && String(value) !== source
      ? rawJSON(source)
      : value;
  });
}
