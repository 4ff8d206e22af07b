import {
  AuditBrokenError,
  AuditUnavailableError,
  MissingNodeError,
  consistencyProof,
  inclusionProof,
  openCheckpoint,
  parseVerifierKey,
  rootAt,
  tileBytes,
  tileWidth,
  verifyConsistency,
  verifyInclusion,
  type AuditLog,
  type AuditReceipt,
  type NodeReader,
  type RecordBody,
  type RecordFilter,
} from '@caregate/audit-log';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';

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
  /** `null` for events of several logs. */
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

export class ProofFailedError extends Error {
  override readonly name = 'ProofFailedError';
}

export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

export type OwnLog = Pick<AuditLog, 'logId' | 'verifierKey' | 'checkpoint' | 'state'>;

/**
 * The logs as read by auditors. Without a log id, methods use the log of this instance; all methods throw UnknownLogError for
 * an unknown log.
 */
export abstract class AuditTrail {
  protected readonly own: OwnLog;

  constructor(own: OwnLog) {
    this.own = own;
  }

  /** Otherwise no data can be returned. */
  isOpen(): boolean {
    return !this.own.state().latched;
  }

  /** Undefined without an index, or before it is known. */
  indexLag(): number | undefined {
    return undefined;
  }

  /** Undefined for a data folder. */
  waitsForStandby(): Promise<boolean | undefined> {
    return Promise.resolve(undefined);
  }

  abstract verifierKey(logId?: string): Promise<string>;

  /** The checkpoint of the current tree, or the latest one of another instance's log. @throws AuditUnavailableError */
  abstract checkpoint(logId?: string): Promise<string>;

  /** Newest first. @throws ProofFailedError if one is not the one that was signed, AuditBrokenError if one is missing */
  abstract page(request: PageRequest): Promise<TrailPage>;

  abstract close(): Promise<void>;

  /** Runs a computation on the nodes of a log's tree, maybe twice: it must read the same nodes whatever their values are. */
  protected abstract withNodes<T>(logId: string, compute: (read: NodeReader) => T): Promise<T>;

  /** @throws RangeError if that tree does not have the record, or does not exist yet; ProofFailedError */
  async inclusion(request: {
    readonly log?: string | undefined;
    readonly seq: number;
    readonly size?: number | undefined;
  }): Promise<Proof & { readonly leafHash: Buffer }> {
    const { log = this.own.logId, seq } = request;
    const signed = await this.signed(log);
    const { size = signed.size } = request;
    const { tree, hashes, leaf } = await this.withNodes(log, (read) => ({
      tree: treeOf(read, size, signed),
      hashes: inclusionProof(seq, size, read),
      leaf: read(0, seq),
    }));
    requireTree(tree, signed);
    if (!verifyInclusion(leaf, seq, size, hashes, tree.root)) {
      throw new ProofFailedError('The inclusion proof does not match the signed root');
    }
    return { logId: log, hashes, size, checkpoint: signed.note, leafHash: leaf };
  }

  /** @throws RangeError if there is no such tree yet; ProofFailedError */
  async consistency(request: {
    readonly log?: string | undefined;
    readonly from: number;
    readonly to?: number | undefined;
  }): Promise<Proof> {
    const { log = this.own.logId, from } = request;
    const signed = await this.signed(log);
    const { to: size = signed.size } = request;
    const { tree, hashes, older } = await this.withNodes(log, (read) => ({
      tree: treeOf(read, size, signed),
      hashes: consistencyProof(from, size, read),
      older: rootAt(from, read),
    }));
    requireTree(tree, signed);
    if (!verifyConsistency(from, size, hashes, older, tree.root)) {
      throw new ProofFailedError('The consistency proof does not match the signed root');
    }
    return { logId: log, hashes, size, checkpoint: signed.note };
  }

  /** Undefined where the log of the current checkpoint does not have the tile. */
  async tile(request: {
    readonly log?: string | undefined;
    readonly level: number;
    readonly index: number;
    readonly width: number;
  }): Promise<Buffer | undefined> {
    const { log = this.own.logId, level, index, width } = request;
    const { size } = await this.signed(log);
    return width > tileWidth(size, level, index)
      ? undefined
      : await this.withNodes(log, (read) => tileBytes(read, level, index, width));
  }

  protected async signed(logId: string): Promise<Signed> {
    const key = parseVerifierKey(await this.verifierKey(logId));
    const note = await this.checkpoint(logId);
    const { size, root } = openCheckpoint(note, key);
    return { note, size, root };
  }
}

interface Tree {
  readonly size: number;
  readonly root: Buffer;
  /** Consistency proof from that root to the signed one. */
  readonly onward: readonly Buffer[];
}

function treeOf(read: NodeReader, size: number, signed: Signed): Tree {
  if (size > signed.size) {
    throw new RangeError('The log has not reached that size yet');
  }
  return { size, root: rootAt(size, read), onward: consistencyProof(size, signed.size, read) };
}

/** The root of an earlier tree is trusted only if the signed tree is consistent with it. */
function requireTree({ size, root, onward }: Tree, signed: Signed): void {
  if (!verifyConsistency(size, signed.size, onward, root, signed.root)) {
    throw new ProofFailedError('The stored log does not match the signed root');
  }
}

interface NodeCache {
  get(name: string): Buffer | undefined;
  set(name: string, node: Buffer): unknown;
}

/** Reads each node once. */
export function caching(
  read: NodeReader,
  known: NodeCache = new Map<string, Buffer>(),
): NodeReader {
  return (level, index) => {
    const name = `${level}/${index}`;
    const node = known.get(name) ?? read(level, index);
    known.set(name, node);
    return node;
  };
}

/** For `catch`. @param proofFailed raises the alarm */
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

/** For `catch`: an unknown log is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
