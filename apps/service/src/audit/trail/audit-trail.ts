import {
  AuditBrokenError,
  AuditUnavailableError,
  MissingNodeError,
  type RecordBody,
} from '@caregate/audit-log';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import type { EventsFilter } from './events-filter.ts';

/** An event with the data needed to compute its leaf hash. */
export interface TrailEvent {
  readonly logId: string;
  readonly seq: number;
  /** The hashed text of the record. */
  readonly body: string;
  /** The same, read. */
  readonly record: RecordBody;
  readonly salt: Buffer;
  readonly leafHash: Buffer;
}

export interface TrailPage {
  /** The log of the events; `null` for events of several logs, with the log in each body. */
  readonly logId: string | null;
  /** Size of the log at the time of the first page. */
  readonly size: number | null;
  readonly events: readonly TrailEvent[];
  /** Opaque position of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly filter: EventsFilter;
  /** Start of the page: `next` of the previous one. */
  readonly from: string | undefined;
  readonly limit: number;
  /** The page ends behind the event with which those on it weigh `most`: one event may weigh more. */
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

/** The stored log does not match the root signed with its key. */
export class ProofFailedError extends Error {
  override readonly name = 'ProofFailedError';
}

/** There is no log with this id. */
export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

/**
 * The logs as read by auditors. Without a log id, methods use the log of this instance; all methods except `page` throw
 * UnknownLogError for an unknown log.
 */
export abstract class AuditTrail {
  /** Whether the log of this instance accepts records; otherwise no data can be returned. */
  abstract isOpen(): boolean;

  /** Records that the index of the log does not have yet; undefined where it has none, or is not known yet. */
  indexLag(): number | undefined {
    return undefined;
  }

  /** Whether a commit waits for a standby, too; undefined for a data folder. */
  waitsForStandby(): Promise<boolean | undefined> {
    return Promise.resolve(undefined);
  }

  abstract verifierKey(logId?: string): Promise<string>;

  /** The checkpoint of the current tree, or the latest one of another instance's log. @throws AuditUnavailableError */
  abstract checkpoint(logId?: string): Promise<string>;

  /**
   * Matching events, newest first.
   *
   * @throws UnknownLogError, ProofFailedError if one of them is not the one that was signed, AuditBrokenError if one is missing
   */
  abstract page(asked: PageRequest): Promise<TrailPage>;

  /**
   * An inclusion proof of record `seq` in the tree of `size` records.
   *
   * @throws RangeError if that tree does not have the record, or does not exist yet
   * @throws ProofFailedError
   */
  abstract inclusion(asked: {
    readonly log?: string | undefined;
    readonly seq: number;
    readonly size?: number | undefined;
  }): Promise<Proof & { readonly leafHash: Buffer }>;

  /**
   * A consistency proof of the trees of `from` and `to` records.
   *
   * @throws RangeError if there is no such tree yet
   * @throws ProofFailedError
   */
  abstract consistency(asked: {
    readonly log?: string | undefined;
    readonly from: number;
    readonly to?: number | undefined;
  }): Promise<Proof>;

  /** The first `width` hashes of a tile; undefined where the log of the current checkpoint does not have them. */
  abstract tile(asked: {
    readonly log?: string | undefined;
    readonly level: number;
    readonly index: number;
    readonly width: number;
  }): Promise<Buffer | undefined>;

  abstract close(): Promise<void>;
}

/**
 * For `catch`: what stands in the log is not what was signed, or it cannot be signed now.
 *
 * @param proofFailed raises the alarm
 */
export function trailProblem(error: unknown, proofFailed: () => void): never {
  if (error instanceof AuditUnavailableError) {
    const headers = { 'retry-after': String(error.retryAfterSeconds) };
    throw new ProblemError({ type: 'unavailable', headers }, { cause: error });
  }
  if (
    error instanceof ProofFailedError ||
    error instanceof MissingNodeError ||
    error instanceof AuditBrokenError
  ) {
    proofFailed();
  }
  return noSuchLog(error);
}

/** For `catch`: a log that is not there is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
