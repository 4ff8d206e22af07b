import { isUtf8 } from 'node:buffer';
import { type StoredPerson, uuidText } from '@caregate/data-store';

/** JSON as it is stored, number for number. */
class Stored {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value =
  | Stored
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value };

export function personJson(
  person: StoredPerson,
  beside: Readonly<Record<string, unknown>>,
): string {
  const orders = person.orders.map(({ order_id: id, body }) => {
    const ofOrder = <Row extends { readonly order_id: Uint8Array }>(rows: readonly Row[]): Row[] =>
      rows.filter((row) => Buffer.compare(row.order_id, id) === 0);
    return {
      order_id: uuidText(id),
      listed: new Stored(body),
      order: storedOrNull(ofOrder(person.importedOrders)[0]),
      lab_result: storedOrNull(ofOrder(person.results)[0]),
      earlier_results: ofOrder(person.versions).map(({ version, replaced_us: at, body: text }) => ({
        ...{ version, replaced_at: instant(at), lab_result: new Stored(text) },
      })),
    };
  });
  return textOf({
    ...Object.fromEntries(
      Object.entries(beside).map(([name, value]) => [name, new Stored(JSON.stringify(value))]),
    ),
    user: new Stored(person.user),
    user_infos: person.infos.map(({ recorded_us: at, body }) => ({
      ...{ recorded_at: instant(at), info: new Stored(body) },
    })),
    insurances: person.insurances.map(({ is_primary: primary, recorded_us: at, body }) => ({
      ...{ recorded_at: instant(at), is_primary: primary === 1, insurance: new Stored(body) },
    })),
    orders,
    mindfulness_minutes: person.sources.map(({ provider, type, body }) => ({
      source: new Stored(body),
      data: person.points
        .filter((point) => point.provider === provider && point.type === type)
        .map((point) => new Stored(point.body)),
    })),
    waiting_messages: person.waiting.map(({ received_us: at, waitsFor, bytes }) => ({
      ...{ received_at: instant(at), waits_for: waitsFor },
      segments: bytes === undefined ? null : segmentsOf(bytes),
    })),
    search: person.facts === undefined ? null : new Stored(person.facts),
  });
}

/** Bytes that are not UTF-8 are of ISO 8859-1. */
function segmentsOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
  return text.split(/[\r\n]+/u).filter(Boolean);
}

function storedOrNull(row: { readonly body: string } | undefined): Stored | null {
  return row === undefined ? null : new Stored(row.body);
}

function instant(us: number): string {
  return new Date(us / 1000).toISOString();
}

function textOf(value: Value): string {
  if (value instanceof Stored) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${(value as readonly Value[]).map(textOf).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as Readonly<Record<string, Value>>);
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
