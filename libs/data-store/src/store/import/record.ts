import {
  GENDERS,
  toInstant,
  isCalendarDate,
  readGender,
  type ImportEnvelope,
  type Insurance,
  type MindfulnessMinutesEnvelope,
  type Order,
} from '@caregate/domain';
import {
  serializeInsurance,
  serializeLabOrderResult,
  serializeMindfulnessMinutesPoint,
  serializeOrder,
  serializeUser,
  serializeUserInfo,
} from '@caregate/domain/serialize';
import type { Issue } from '@caregate/domain/validate';
import { parseUuid, type PersonKey, type StoreSchema } from '../schema.ts';

/** The row of a record, without its commit. */
type Row<Name extends keyof StoreSchema> = Omit<StoreSchema[Name], 'changed_in'>;

export type UserRecord = { readonly kind: 'user' } & Row<'users'>;
export type OrderRecord = { readonly kind: 'order' | 'lab_result' } & Row<'lab_results'>;
export type PointRecord = Pick<StoreSchema['mindfulness_minutes'], 'start_us' | 'end_us' | 'body'>;
export type PointsRecord = {
  readonly kind: 'mindfulness_minutes';
  readonly provider: string;
  readonly type: string;
  /** JSON text of the whole source, including unknown members. */
  readonly source: string;
  readonly points: readonly PointRecord[];
} & PersonKey;

export type StoreRecord =
  | UserRecord
  | ({ readonly kind: 'user_info' } & Row<'user_infos'>)
  | ({ readonly kind: 'insurance' } & Row<'insurances'>)
  | OrderRecord
  | PointsRecord;

export function toRecord(envelope: ImportEnvelope): { record: StoreRecord; issues: Issue[] } {
  const issues: Issue[] = [];
  return { record: checkRecord(envelope, issues), issues };
}

function checkRecord(envelope: ImportEnvelope, issues: Issue[]): StoreRecord {
  switch (envelope.kind) {
    case 'user': {
      const { kind, user } = envelope;
      checkKey(user.client_user_id, ['user', 'client_user_id'], issues);
      return {
        ...{ kind, ...toUserKey(user), client_user_id: user.client_user_id },
        created_us: parseInstant(user.created_on, ['user', 'created_on'], issues),
        body: escapeSurrogates(serializeUser(user), user),
      };
    }
    case 'user_info': {
      const { kind, recorded_at: at } = envelope;
      const info = withGender(envelope.info, ['info'], issues);
      const recorded_us = parseInstant(at, ['recorded_at'], issues);
      const body = escapeSurrogates(serializeUserInfo(info), info);
      return { kind, ...toUserKey(envelope), recorded_us, body };
    }
    case 'order': {
      const { kind } = envelope;
      const { patient_details: details } = envelope.order;
      const order = {
        ...envelope.order,
        ...(details && {
          patient_details: withGender(details, ['order', 'patient_details'], issues),
        }),
      };
      checkDates(order, issues);
      const body = escapeSurrogates(serializeOrder(order), order);
      return { kind, ...toUserKey(order), order_id: parseId(order.id), body };
    }
    case 'lab_result': {
      const { kind, result } = envelope;
      const body = escapeSurrogates(serializeLabOrderResult(result), result);
      return { kind, ...toUserKey(envelope), order_id: parseId(envelope.order_id), body };
    }
    case 'insurance': {
      const { kind } = envelope;
      const insurance = withGenders(envelope.insurance, issues);
      return {
        ...{ kind, ...toUserKey(envelope), is_primary: envelope.is_primary === false ? 0 : 1 },
        recorded_us: parseInstant(envelope.recorded_at, ['recorded_at'], issues),
        body: escapeSurrogates(serializeInsurance(insurance), insurance),
      };
    }
    case 'mindfulness_minutes':
      return toPointsRecord(envelope, issues);
  }
}

function withGenders(insurance: Insurance, issues: Issue[]): Insurance {
  const { insured } = insurance;
  // The interface document doesn't have this member, so it may have any type.
  const { guarantor } = insurance as { guarantor?: unknown };
  return {
    ...insurance,
    insured: withGender(insured, ['insurance', 'insured'], issues),
    ...(hasGender(guarantor) && {
      guarantor: withGender(guarantor, ['insurance', 'guarantor'], issues),
    }),
  };
}

function hasGender(value: unknown): value is { readonly gender: string } {
  return typeof (value as { gender?: unknown } | null | undefined)?.gender === 'string';
}

/** Replaces the written gender by its code. An unknown word is an issue. */
function withGender<T extends { readonly gender?: string | null }>(
  person: T,
  path: Issue['path'],
  issues: Issue[],
): T {
  const written = person.gender ?? '';
  if (written.trim() === '') {
    return person.gender === undefined || person.gender === null
      ? person
      : { ...person, gender: null };
  }
  const gender = readGender(written);
  if (gender === undefined) {
    const message = `must be one of ${Object.keys(GENDERS).join(', ')}, or a usual abbreviation`;
    issues.push({ path: [...path, 'gender'], message });
  }
  return gender === undefined || gender === written ? person : { ...person, gender };
}

function toPointsRecord(envelope: MindfulnessMinutesEnvelope, issues: Issue[]): PointsRecord {
  const { provider, type } = envelope.source;
  checkKey(provider, ['source', 'provider'], issues);
  checkKey(type, ['source', 'type'], issues);
  const points = envelope.data.map((point, index): PointRecord => {
    const start_us = parseInstant(point.start, ['data', index, 'start'], issues);
    const end_us = parseInstant(point.end, ['data', index, 'end'], issues);
    if (end_us < start_us) {
      issues.push({ path: ['data', index, 'end'], message: 'is before start' });
    }
    return {
      start_us,
      end_us,
      body: escapeSurrogates(serializeMindfulnessMinutesPoint(point), point),
    };
  });
  return {
    kind: 'mindfulness_minutes',
    ...toUserKey(envelope),
    provider,
    type,
    source: JSON.stringify(envelope.source),
    points,
  };
}

/** The interface document leaves the form of these dates open, but the store needs valid ones. */
function checkDates(order: Order, issues: Issue[]): void {
  for (const name of ['created_at', 'updated_at'] as const) {
    const value = order[name];
    if (typeof value === 'string') {
      parseInstant(value, ['order', name], issues);
    }
  }
  const dob = order.patient_details?.dob;
  if (typeof dob === 'string' && !isCalendarDate(dob.slice(0, 10))) {
    const message = 'must be a valid date in the form YYYY-MM-DD';
    issues.push({ path: ['order', 'patient_details', 'dob'], message });
  }
}

function toUserKey(from: { readonly team_id: string; readonly user_id: string }): PersonKey {
  return { team_id: parseId(from.team_id), user_id: parseId(from.user_id) };
}

function parseId(uuid: string): Uint8Array {
  const bytes = parseUuid(uuid);
  if (bytes === undefined) {
    throw new Error('A validated envelope has an id that is not a UUID');
  }
  return bytes;
}

/** Microseconds are exact integers within 270 years of 1970 only (2^53). */
function parseInstant(dateTime: string, path: Issue['path'], issues: Issue[]): number {
  const us = toInstant(dateTime);
  if (!Number.isSafeInteger(us)) {
    issues.push({ path, message: 'is outside the years 1685 to 2255' });
  }
  return us;
}

/**
 * Keys are stored unchanged, so they must not contain NUL, which PostgreSQL refuses, or lone surrogates, which UTF-8
 * can't encode.
 */
function checkKey(text: string, path: Issue['path'], issues: Issue[]): void {
  if (text.includes('\0')) {
    issues.push({ path, message: 'contains a NUL character' });
  } else if (loneSurrogate.test(text)) {
    issues.push({ path, message: 'contains a lone surrogate' });
  }
}

const loneSurrogate = /\p{Surrogate}/u;

/** Escapes lone surrogates, as JSON.stringify does. */
function escapeSurrogates(text: string, value: unknown): string {
  return loneSurrogate.test(text) ? JSON.stringify(value) : text;
}
