import { asText, columnsOf } from '../audit/postgres/body-columns.ts';
import { bodyColumns } from '../audit/postgres/audit-tables.ts';

/** What a column holds in SQLite. */
export type Value = string | number | Uint8Array | null;

/** A table of a data folder and the one that takes its rows, column by column. */
export interface MovedTable {
  readonly file: 'store' | 'access' | 'audit';
  readonly name: string;
  readonly into: string;
  readonly columns: readonly string[];
  /** Columns of free text, in which a person may have put the one character that PostgreSQL's texts do not hold. */
  readonly freeText?: readonly string[];
  /** Values of the columns that the table in SQLite has not, after those of `columns`. */
  readonly more?: {
    readonly columns: readonly string[];
    readonly of: (row: Readonly<Record<string, Value>>) => readonly Value[];
  };
}

/** In an order in which each row finds those that it refers to. */
export function movedTables(logId: string | undefined): readonly MovedTable[] {
  const inLog = { columns: ['log_id'], of: () => [logId ?? null] };
  return [
    table('store', 'users', 'team_id user_id client_user_id created_us body'),
    table('store', 'user_totals', 'team_id total'),
    table('store', 'user_ranks', 'team_id position created_us user_id'),
    table('store', 'lab_results', 'team_id order_id user_id body'),
    table('store', 'insurances', 'team_id user_id is_primary recorded_us body'),
    table('store', 'mindfulness_minutes', 'team_id user_id start_us provider type end_us body'),
    { ...table('access', 'teams', 'team_id name created_ms'), freeText: ['name'] },
    table(
      'access',
      'keys',
      `key_id secret_hash team_id role scopes label cidrs created_ms expires_ms last_used_ms
       revoked_ms replaces`,
    ),
    table('access', 'cursor_secret', 'id secret'),
    {
      ...table(
        'access',
        'break_glass',
        `grant_id team_id key_id user_id reason_code text granted_ms expires_ms reviewed_ms
         reviewed_by outcome note`,
      ),
      freeText: ['text', 'reviewed_by', 'note'],
    },
    ...(logId === undefined
      ? []
      : [
          table('audit', 'audit_log', 'log_id origin verifier_key created_at_us'),
          {
            ...table('audit', 'audit_event', 'seq leaf_hash salt body'),
            more: {
              columns: ['log_id', ...Object.keys(bodyColumns)],
              of: ({ body }: Readonly<Record<string, Value>>) => [logId, ...besideBody(body)],
            },
          },
          { ...table('audit', 'audit_patient', 'seq user_id'), freeText: ['user_id'], more: inLog },
          { ...table('audit', 'audit_node', 'level idx hash'), more: inLog },
          { ...table('audit', 'audit_checkpoint', 'size note'), more: inLog },
        ]),
  ];
}

/** Every table that a move writes to, as `schema.table`; `audit_head` too, which is not copied. */
export const targets: readonly string[] = [
  ...movedTables('any').map(({ into }) => into),
  'audit.audit_head',
];

function table(file: MovedTable['file'], name: string, columns: string): MovedTable {
  return { file, name, into: `${file}.${name}`, columns: columns.split(/\s+/u) };
}

const names = Object.keys(bodyColumns);

/** The columns beside a body, which a retention cut may have emptied. */
function besideBody(body: Value | undefined): readonly Value[] {
  if (typeof body !== 'string') {
    return names.map(() => null);
  }
  const values = columnsOf(body);
  return names.map((name) => values[name] ?? null);
}

/** The value of a column as PostgreSQL can hold it. */
export function movedValue({ freeText }: MovedTable, column: string, value: Value): Value {
  return typeof value === 'string' && freeText?.includes(column) === true ? asText(value) : value;
}
