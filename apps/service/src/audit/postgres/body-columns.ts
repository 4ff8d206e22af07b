import { bodyColumns } from './audit-tables.ts';

const columns = Object.entries(bodyColumns);

/** What the columns beside a body hold: its own values, where a column can. */
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

/** PostgreSQL has no character U+0000; the body holds it escaped. */
export function asText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

function wholeNumber(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
