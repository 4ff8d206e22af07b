import type { ImportEnvelope, LabOrderResult, Order } from '@caregate/domain';
import {
  isEarlier,
  type LabReport,
  mergeResult,
  deriveOrderId,
  type ReportedOrder,
  type SentAt,
} from '@caregate/hl7v2';
import type { ImportDatabase } from '../import-database.ts';
import { type PersonKey, type StoreSchema, toIdBytes, formatUuid } from '../schema.ts';
import { describeIssue } from '../import/import-types.ts';
import { checkEnvelope } from '../import/read-line.ts';
import type { OrderRecord } from '../import/record.ts';
import type { Refused, Waiting } from './reported-person.ts';

export interface AcceptedOrder {
  readonly orderId: string;
  /** `stale` means that a message with a later time was stored before. */
  readonly change: 'added' | 'updated' | 'unchanged' | 'stale';
}

interface Changes {
  readonly kind: 'changes';
  readonly user: Uint8Array;
  readonly orders: readonly AcceptedOrder[];
  readonly records: readonly OrderRecord[];
  readonly sent: readonly StoreSchema['hl7_orders'][];
}

interface StoredOrder {
  readonly owner: Uint8Array | undefined;
  readonly sent: SentAt | undefined;
  readonly order: string | undefined;
  readonly lab_result: string | undefined;
}

type OrderReport = Omit<ReportedOrder, 'key' | 'placer' | 'filler'>;

/** Returns the changes that a lab report makes to the stored data of a person. */
export async function findChanges(
  db: Pick<ImportDatabase, 'find'>,
  person: PersonKey,
  report: LabReport,
): Promise<Changes | Waiting | Refused> {
  const orders: AcceptedOrder[] = [];
  const records: OrderRecord[] = [];
  const sent: StoreSchema['hl7_orders'][] = [];
  for (const [orderId, reported] of groupByOrder(formatUuid(person.team_id), report)) {
    const key = { team_id: person.team_id, order_id: toIdBytes(orderId) };
    const before = await readStoredOrder(db, key);
    if (before.owner !== undefined && Buffer.compare(before.owner, person.user_id) !== 0) {
      return { kind: 'waiting', waitsFor: 'order_of_another_person', people: [person.user_id] };
    }
    if (before.sent !== undefined && isEarlier(report.sent, before.sent)) {
      orders.push({ orderId, change: 'stale' });
      continue;
    }
    if (before.lab_result === undefined && areAllDeleted(reported)) {
      orders.push({ orderId, change: 'unchanged' });
      continue;
    }
    const changed: OrderRecord[] = [];
    for (const envelope of buildEnvelopes(person, orderId, before, reported)) {
      const read = checkEnvelope(envelope, '');
      if (read.kind !== 'record') {
        return toRefused(read);
      }
      const record = read.record as OrderRecord;
      if (record.body !== before[record.kind]) {
        changed.push(record);
      }
    }
    const change = before.lab_result === undefined ? 'added' : 'updated';
    orders.push({ orderId, change: changed.length === 0 ? 'unchanged' : change });
    records.push(...changed);
    const { us: sent_us, localUs: local_us, hasOffset } = report.sent;
    sent.push({ ...key, sent_us, local_us, has_offset: Number(hasOffset) });
  }
  return { kind: 'changes', user: person.user_id, orders, records, sent };
}

/**
 * Groups the parts of a report by order ID. Two placer numbers may name one order, such as a UUID in upper and lower
 * case.
 */
function groupByOrder(teamId: string, { orders }: LabReport): [string, OrderReport][] {
  const parts = Map.groupBy(orders, (order) => deriveOrderId(teamId, order));
  return Array.from(parts, ([id, all]) => [id, mergeParts(all)]);
}

/** Merges the parts of an order into one, since merging a result for each part would be slow. */
function mergeParts(parts: readonly ReportedOrder[]): OrderReport {
  const statuses = parts.flatMap(({ status }) => status ?? []);
  const [order, metadata] = [{}, {}];
  for (const part of parts) {
    Object.assign(order, part.order);
    Object.assign(metadata, part.metadata);
  }
  return {
    ...{ order, metadata },
    status: statuses.find((status) => status === 'partial') ?? statuses[0],
    observations: parts.flatMap(({ observations }) => observations),
  };
}

async function readStoredOrder(
  db: Pick<ImportDatabase, 'find'>,
  key: Pick<StoreSchema['orders'], 'team_id' | 'order_id'>,
): Promise<StoredOrder> {
  const [listed] = await db.find('orders', ['user_id'], [key]);
  const [sent] = await db.find('hl7_orders', ['sent_us', 'local_us', 'has_offset'], [key]);
  const [imported] = await db.find('imported_orders', ['body'], [key]);
  const [result] = await db.find('lab_results', ['body'], [key]);
  return {
    owner: listed?.user_id,
    sent: sent && {
      ...{ us: sent.sent_us, localUs: sent.local_us, hasOffset: sent.has_offset === 1 },
    },
    ...{ order: imported?.body, lab_result: result?.body },
  };
}

/** Whether all observations were deleted. An order without a stored result then stays without one. */
function areAllDeleted({ observations }: OrderReport): boolean {
  return observations.length > 0 && observations.every(({ status }) => 'DW'.includes(status));
}

function buildEnvelopes(
  { team_id, user_id }: PersonKey,
  orderId: string,
  before: StoredOrder,
  reported: OrderReport,
): ImportEnvelope[] {
  const ids = { team_id: formatUuid(team_id), user_id: formatUuid(user_id) };
  const { order: reportedOrder } = reported;
  const result = mergeResult(parseBody(before.lab_result) as LabOrderResult | undefined, reported);
  // Values that are already stored take precedence.
  const order: Order = {
    id: orderId,
    ...ids,
    ...reportedOrder,
    ...(parseBody(before.order) as Order | undefined),
  };
  return [
    ...(Object.keys(reportedOrder).length === 0 ? [] : [{ kind: 'order', order } as const]),
    { kind: 'lab_result', ...ids, order_id: orderId, result },
  ];
}

function parseBody(body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body);
}

function toRefused(read: ReturnType<typeof checkEnvelope>): Refused {
  const [issue] = read.kind === 'refused' ? read.issues : [];
  const { path, message } = describeIssue(issue ?? { path: [], message: 'is not valid' });
  return {
    kind: 'refused',
    refusal: { ack: 'AE', error: 'dataType', message: `${path} ${message}` },
  };
}
