import { isUtf8 } from 'node:buffer';
import { formatUuid, parseExactly, type StoredPerson } from '@caregate/data-store';

/** Returns everything that is stored about a person, for `JSON.stringify`. Numbers keep their stored digits. */
export function describePerson(
  person: StoredPerson,
  extraFields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const orders = person.orders.map(({ order_id: id, body }) => {
    const filterByOrder = <Row extends { readonly order_id: Uint8Array }>(
      rows: readonly Row[],
    ): Row[] => rows.filter((row) => Buffer.compare(row.order_id, id) === 0);
    return {
      order_id: formatUuid(id),
      listed: parseStored(body),
      order: parseStored(filterByOrder(person.importedOrders)[0]?.body),
      lab_result: parseStored(filterByOrder(person.results)[0]?.body),
      earlier_results: filterByOrder(person.versions).map(
        ({ version, replaced_us: at, body: text }) => ({
          ...{ version, replaced_at: formatInstant(at), lab_result: parseStored(text) },
        }),
      ),
    };
  });
  return {
    ...extraFields,
    user: parseStored(person.user),
    user_infos: person.infos.map(({ recorded_us: at, body }) => ({
      ...{ recorded_at: formatInstant(at), info: parseStored(body) },
    })),
    insurances: person.insurances.map(({ is_primary: primary, recorded_us: at, body }) => ({
      ...{
        recorded_at: formatInstant(at),
        is_primary: primary === 1,
        insurance: parseStored(body),
      },
    })),
    orders,
    mindfulness_minutes: person.sources.map(({ provider, type, body }) => ({
      source: parseStored(body),
      data: person.points
        .filter((point) => point.provider === provider && point.type === type)
        .map((point) => parseStored(point.body)),
    })),
    waiting_messages: person.waiting.map(({ received_us: at, waitsFor, bytes }) => ({
      ...{ received_at: formatInstant(at), waits_for: waitsFor },
      segments: bytes === undefined ? null : readSegments(bytes),
    })),
    search: parseStored(person.facts),
  };
}

function parseStored(text: string | undefined): unknown {
  return text === undefined ? null : parseExactly(text);
}

/** Decodes bytes that are not valid UTF-8 as ISO 8859-1. */
function readSegments(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
  return text.split(/[\r\n]+/u).filter(Boolean);
}

function formatInstant(us: number): string {
  return new Date(us / 1000).toISOString();
}
