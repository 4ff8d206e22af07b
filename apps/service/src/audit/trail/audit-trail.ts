import { EventEmitter } from 'node:events';
import {
  AuditBrokenError,
  AuditUnavailableError,
  ProvenTree,
  type AuditReceipt,
  type LogSource,
  VerifierKey,
} from '@caregate/audit-log';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import { parseRecord, type RecordBody, type RecordFilter } from '../record/record-body.ts';
import type { AuditLog } from '../record/record-log.ts';

const saltLength = 16;

export interface EventsFilter extends Omit<RecordFilter, 'about'> {
  readonly team: string;
  readonly log?: string | undefined;
  readonly records?: readonly AuditReceipt[] | undefined;
}

export interface TrailEvent {
  readonly logId: string;
  readonly seq: number;
  readonly body: string;
  readonly record: RecordBody;
  readonly salt: Buffer;
}

export interface TrailPage {
  readonly logId: string | null;
  readonly events: readonly TrailEvent[];
  /** Opaque position of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly filter: EventsFilter;
  readonly from: string | undefined;
  readonly limit: number;
  /** The page ends after the event with which those on it weigh `most`: one event may weigh more. */
  readonly weight?:
    | { readonly of: (record: RecordBody) => number; readonly most: number }
    | undefined;
}

export interface Proof {
  readonly logId: string;
  readonly hashes: readonly Buffer[];
  readonly size: number;
  /** The checkpoint of the tree of the proof, or of one that extends it. */
  readonly checkpoint: string;
}

export interface Signed {
  readonly note: string;
  readonly size: number;
  readonly root: Buffer;
}

export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

/** State changes of an open log; messages contain no data. */
export class AuditLogEvents extends EventEmitter<{
  /** The log is latched: it accepts no records. Repeated for each new reason and each minute. */
  interrupted: [message: string];
  resumed: [message: string];
}> {}

export type OwnLog = Pick<AuditLog, 'logId' | 'verifierKey' | 'checkpoint' | 'state'>;

/** Without a log id, methods use the log of this instance. All throw UnknownLogError. */
export abstract class AuditTrail {
  protected readonly own: OwnLog;

  constructor(own: OwnLog) {
    this.own = own;
  }

  /** Otherwise no data can be returned. */
  isOpen(): boolean {
    return !this.own.state().latched;
  }

  indexLag(): number | undefined {
    return undefined;
  }

  waitsForStandby(): Promise<boolean | undefined> {
    return Promise.resolve(undefined);
  }

  abstract verifierKey(logId?: string): Promise<string>;

  /** The checkpoint of the current tree, or the latest one of another instance's log. @throws AuditUnavailableError */
  abstract checkpoint(logId?: string): Promise<string>;

  /** Newest first. @throws AuditBrokenError if one is missing, or not the one that was signed */
  abstract page(request: PageRequest): Promise<TrailPage>;

  abstract close(): Promise<void>;

  /** The stored log, which is not trusted. */
  protected abstract stored(logId: string): Promise<Pick<LogSource, 'withNodes'>>;

  /** @throws RangeError if that tree does not have the record, or does not exist yet; AuditBrokenError */
  async inclusion(request: {
    readonly log?: string | undefined;
    readonly seq: number;
    readonly size?: number | undefined;
  }): Promise<Proof & { readonly leafHash: Buffer }> {
    const { log = this.own.logId, seq } = request;
    const signed = await this.signed(log);
    const { size = signed.size } = request;
    const { hashes, leafHash } = await (await this.tree(log, signed)).inclusion(seq, size);
    return { logId: log, hashes, size, checkpoint: signed.note, leafHash };
  }

  /** @throws RangeError if there is no such tree yet; AuditBrokenError */
  async consistency(request: {
    readonly log?: string | undefined;
    readonly from: number;
    readonly to?: number | undefined;
  }): Promise<Proof> {
    const { log = this.own.logId, from } = request;
    const signed = await this.signed(log);
    const { to: size = signed.size } = request;
    const { hashes } = await (await this.tree(log, signed)).consistency(from, size);
    return { logId: log, hashes, size, checkpoint: signed.note };
  }

  protected async tree(logId: string, signed: Pick<Signed, 'size' | 'root'>): Promise<ProvenTree> {
    return new ProvenTree(await this.stored(logId), signed);
  }

  protected async signed(logId: string): Promise<Signed> {
    const key = VerifierKey.parse(await this.verifierKey(logId));
    const note = await this.checkpoint(logId);
    const { size, root } = key.open(note);
    return { note, size, root };
  }
}

/** Events of stored records, which are proved before anything of them is used. @throws AuditBrokenError */
export async function provenEvents(
  logId: string,
  tree: ProvenTree,
  records: readonly { readonly seq: number; readonly entry: Buffer }[],
): Promise<TrailEvent[]> {
  await tree.requireEntries(records);
  return records.map(({ seq, entry }) => {
    const body = entry.toString('utf8', saltLength);
    return {
      logId,
      seq,
      body,
      record: parseRecord(body, { logId, seq }),
      salt: entry.subarray(0, saltLength),
    };
  });
}

/** For `catch`. @param proofFailed raises the alarm */
export function trailProblem(error: unknown, proofFailed: () => void): never {
  if (error instanceof AuditUnavailableError) {
    const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds));
    const headers = { 'retry-after': String(seconds) };
    const detail = `${error.message}. Try again in a moment.`;
    throw new ProblemError({ type: 'unavailable', detail, headers }, { cause: error });
  }
  if (error instanceof AuditBrokenError) {
    proofFailed();
  }
  return noSuchLog(error);
}

/** For `catch`: an unknown log is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
