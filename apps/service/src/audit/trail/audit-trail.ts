import { invalidParameters } from '../../problem/problem-error.ts';
import type { EventsFilter } from './events-query.ts';

/** An event, as the text of its record and what it takes to compute its leaf. */
export interface TrailEvent {
  readonly logId: string;
  readonly seq: number;
  /** The record's text as it was hashed. */
  readonly body: string;
  readonly salt: Buffer;
  readonly leafHash: Buffer;
}

export interface TrailPage {
  /** The log that the events are of; `null` where they are of any number of logs, which each names in its body. */
  readonly logId: string | null;
  /** Records in it at the first page. */
  readonly size: number | null;
  readonly events: readonly TrailEvent[];
  /** Where the next page begins, in words of the trail's own; `undefined` where all has been looked at. */
  readonly next: string | undefined;
}

export interface PageAsked {
  readonly filter: EventsFilter;
  /** Where the page begins: `next` of the one before it. */
  readonly from: string | undefined;
  readonly limit: number;
}

export interface Proof {
  readonly logId: string;
  readonly hashes: readonly Buffer[];
  readonly size: number;
  /** The signed note of the tree that the proof ends at, or one that is known to continue it. */
  readonly checkpoint: string;
}

/** The stored log does not lead to the root that its own key has signed. */
export class ProofFailedError extends Error {
  override readonly name = 'ProofFailedError';
}

/** There is no log with this id. */
export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

/**
 * The logs as their auditors read them. Where a log can be named and is not, it is the one that this instance writes;
 * each method but `page` throws UnknownLogError for one that is not there.
 */
export abstract class AuditTrail {
  /** Whether this instance's log takes records now: while it does not, no answer leaves. */
  abstract isOpen(): boolean;

  abstract verifierKey(logId?: string): Promise<string>;

  /** The signed note of the tree: as it is now, or, of another instance's log, as that instance signed it last. @throws AuditUnavailableError */
  abstract checkpoint(logId?: string): Promise<string>;

  /** Events that match, newest first. @throws UnknownLogError */
  abstract page(asked: PageAsked): Promise<TrailPage>;

  /**
   * That record `seq` is in the tree of `size` records.
   *
   * @throws RangeError where there is no such record in a tree of that size, or no such tree yet
   * @throws ProofFailedError
   */
  abstract inclusion(asked: {
    readonly log?: string | undefined;
    readonly seq: number;
    readonly size?: number | undefined;
  }): Promise<Proof & { readonly leafHash: Buffer }>;

  /**
   * That the tree of `to` records begins with that of `from`.
   *
   * @throws RangeError where there is no such tree yet
   * @throws ProofFailedError
   */
  abstract consistency(asked: {
    readonly log?: string | undefined;
    readonly from: number;
    readonly to?: number | undefined;
  }): Promise<Proof>;

  abstract close(): Promise<void>;
}

/** For `catch`: a log that is not there is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
