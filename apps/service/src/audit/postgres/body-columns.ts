import { bodyColumns } from './audit-tables.ts';

const columns = Object.entries(bodyColumns);

/** The columns copied from a body. */
export function columnsOf(body: string): Record<string, string | number | null> {
  const fields = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.map(([name, type]) => [
      name,
      type === 'bigint'
        ? wholeNumber(fields[name])
        : typeof fields[name] === 'string'
          ? asText(fields[name])
          : null,
    ]),
  );
}

/** PostgreSQL does not support U+0000; in the body it is escaped. */
export function asText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

function wholeNumber(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
