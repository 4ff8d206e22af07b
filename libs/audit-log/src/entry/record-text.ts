import { hostname } from 'node:os';
import { AuditLogError } from '../errors.ts';

export const TORN_GROUP = 'tornGroup';
/** Names the logs that were archived, and the reason. */
export const NEW_LOG = 'newAuditLog';

/** The first record of a log on PostgreSQL; detail `logs` names the other logs of the database. */
export const OPEN_LOG = 'openAuditLog';
export const SEE_LOGS = 'seeAuditLogs';
export const CLOCK_STEP = 'clockStep';
/** The signing key of the log; `rotateKey` is that of a key of the interface. */
export const ROTATE_KEY = 'rotateAuditKey';

/** Verification and starts rely on records that begin so, which no caller may write. */
export const ownStart = '{"_log":';
export const saltLength = 16;
const mostBytes = 2 ** 20;
/** A start takes this for a group behind a torn one. */
const likeGroup = 'CGRP';

type Details = Readonly<Record<string, string | number>>;

export interface OwnRecord {
  readonly operation: string;
  readonly details: Details;
  readonly actor_id?: string;
  readonly reason_code?: string;
}

/** The text of a record of the log itself, with its members in order (RFC 8785). */
export function ownText({ details, ...record }: OwnRecord): string {
  const members = {
    _log: 1,
    actor_type: 'system',
    data_category: 'audit',
    decision: 'allowed',
    details: inOrder(details),
    recorded_at_us: Date.now() * 1000,
    server_id: hostname(),
    ...record,
  };
  return JSON.stringify(inOrder(members));
}

function inOrder(members: object): object {
  return Object.fromEntries(
    Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function ownRecord(entry: Buffer): OwnRecord | undefined {
  return entry.toString('latin1', saltLength, saltLength + ownStart.length) === ownStart
    ? (membersOf(entry.toString('utf8', saltLength)) as unknown as OwnRecord)
    : undefined;
}

/** @throws AuditLogError unless a caller may record it */
export function requireText(text: unknown): string {
  const isLine =
    typeof text === 'string' &&
    text !== '' &&
    !text.includes('\n') &&
    !text.includes('\0') &&
    !(text.includes(likeGroup) && /\p{Cc}/u.test(text));
  if (!isLine) {
    throw new AuditLogError(
      'A record is one line of text without control characters, such as JSON',
    );
  }
  if (text.startsWith(ownStart)) {
    throw new AuditLogError(`Only the log itself writes records that begin with ${ownStart}`);
  }
  const bytes = 3 * text.length > mostBytes ? Buffer.byteLength(text) : 0;
  if (bytes > mostBytes) {
    throw new AuditLogError(`The record has ${bytes} bytes, of ${mostBytes} that it may have`);
  }
  return text;
}

export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
