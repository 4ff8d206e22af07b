import { ownRecord, ROTATE_KEY, saltLength } from '../entry/record-text.ts';
import { AuditBrokenError } from '../errors.ts';
import { LogKeys, VerifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { Frontier, leafHash, type HashText, type NodeReader } from '../tree/tree.ts';

export interface StoredEntry {
  readonly seq: number;
  /** SHA-256(0x00, salt, body), as the tree has it. */
  readonly leafHash: Buffer;
  /** 16 bytes of salt and the UTF-8 text of the record. */
  readonly entry: Buffer;
}

export type OnRecords = (done: number, of: number) => void;

const toldEvery = 1000;

type Items = Iterable<StoredEntry | Seal> | AsyncIterable<StoredEntry | Seal>;

/** A stored log, for each storage: what reads, proves and exports it. */
export abstract class LogSource {
  abstract identity(): LogIdentity;
  abstract size(): number | Promise<number>;
  /** The newest signed checkpoint. */
  abstract checkpoint(): string | Promise<string>;
  /** May run `compute` twice: it MUST read the same nodes, whatever they are. @throws AuditBrokenError if one is missing */
  abstract withNodes<T>(compute: (read: NodeReader) => T): T | Promise<T>;
  /** In order to before `to`, each seal after its group. @throws AuditBrokenError at a missing record: never yields fewer */
  abstract read(from: number, to: number): Items;

  /**
   * Compares each record with its hash and, at the end, all with the signed root: after an error nothing yielded is valid.
   *
   * @param note the checkpoint to end at; default: the newest one and the sealed records after it
   * @throws AuditBrokenError if a record is missing or altered, BadCheckpointError if the checkpoint is not of this log
   */
  async *records(note?: string): AsyncGenerator<StoredEntry | Seal, void> {
    const { origin } = this.identity();
    const first = VerifierKey.parse(this.identity().verifierKey);
    const newest = await this.checkpoint();
    const checkpoint = first.open(newest).keys.open(note ?? newest);
    const size =
      note === undefined ? Math.max(checkpoint.size, await this.size()) : checkpoint.size;
    const tree = new Frontier();
    const compare = (known: { readonly size: number; readonly root: Buffer }): void => {
      if (tree.size === known.size && !tree.root().equals(known.root)) {
        throw new AuditBrokenError(
          'altered',
          `The first ${known.size} records are not those that were signed`,
        );
      }
    };
    compare(checkpoint);
    let last: Seal | undefined;
    for await (const item of this.read(0, size)) {
      if (!('seq' in item)) {
        last = { ...item, root: Buffer.from(item.root), signature: Buffer.from(item.signature) };
        yield item;
        continue;
      }
      requireLeaf(item);
      tree.append(item.leafHash);
      yield item;
      compare(checkpoint);
    }
    if (tree.size > checkpoint.size) {
      // The key may have changed meanwhile.
      const keys = LogKeys.named(this.identity(), await this.checkpoint());
      if (last?.size !== tree.size || !isSealValid(origin, last, keys.sealing(last))) {
        throw new AuditBrokenError('bad_signature', `Record ${tree.size - 1} is not sealed`);
      }
      compare(last);
    }
  }

  /** Reads and proves all of them. @throws as `records` */
  async requireRecords(onProgress?: OnRecords): Promise<void> {
    const of = await this.size();
    for await (const item of this.records()) {
      if ('seq' in item && item.seq % toldEvery === 0) {
        onProgress?.(item.seq + 1, of);
      }
    }
  }

  /**
   * NDJSON in pieces of whole lines: log and key; each record as text or leaf hash; the seal after each group; the checkpoint.
   *
   * @throws AuditBrokenError if the log does not hold: discard what was yielded
   */
  ndjson(checkpoint: string, isShown?: (record: StoredEntry) => boolean): AsyncGenerator<string> {
    return ndjsonOf(this.identity(), this.records(checkpoint), { checkpoint, isShown });
  }
}

/** @throws AuditBrokenError unless the stored hash is that of the record */
export function requireLeaf({ seq, entry, leafHash: stored }: StoredEntry): void {
  if (!leafHash(entry).equals(stored)) {
    throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
  }
}

export type StoredItem =
  | {
      readonly entry: Buffer;
      readonly leaf?: HashText | undefined;
      /** The hash stored beside it, if there is one. */
      readonly stored?: Buffer;
    }
  | { readonly seal: Seal; readonly isSigned?: boolean | undefined };

export type OpenedCheckpoint = ReturnType<VerifierKey['open']>;

export interface WholeLog {
  readonly identity: LogIdentity;
  /** Oldest first, at least one. */
  readonly checkpoints: readonly OpenedCheckpoint[];
  /** Whether checkpoints are never replaced, so that those that seals name must be there. */
  readonly hasAllCheckpoints: boolean;
  block(level: number, index: number): Buffer | undefined;
  /** Records in order and each seal after its group, in parts. @throws AuditBrokenError at anything else */
  parts(): AsyncIterable<Iterable<StoredItem>>;
  /** Requires that nothing else is stored. @throws AuditBrokenError */
  finish(size: number): void | Promise<void>;
}

const pieceLength = 64 * 1024;

export async function* ndjsonOf(
  identity: LogIdentity,
  items: Items,
  {
    checkpoint,
    isShown = () => true,
  }: {
    readonly checkpoint: string;
    readonly isShown?: ((record: StoredEntry) => boolean) | undefined;
  },
): AsyncGenerator<string> {
  let piece = headLine(identity, Number(checkpoint.split('\n')[1]));
  for await (const item of items) {
    piece +=
      'seq' in item ? recordLine(item, isShown(item) || isChange(item.entry)) : sealLine(item);
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${JSON.stringify({ checkpoint })}\n`;
}

/** A verifier of an export needs the key that signs from there on. */
function isChange(entry: Buffer): boolean {
  return ownRecord(entry)?.operation === ROTATE_KEY;
}

function headLine({ origin, verifierKey }: LogIdentity, size: number): string {
  return `${JSON.stringify({ log: origin, verifier_key: verifierKey, size })}\n`;
}

function recordLine({ seq, entry, leafHash }: StoredEntry, isShown: boolean): string {
  const line = isShown
    ? {
        seq,
        salt: entry.toString('hex', 0, saltLength),
        body: entry.toString('utf8', saltLength),
      }
    : { seq, leaf_hash: leafHash.toString('hex') };
  return `${JSON.stringify(line)}\n`;
}

function sealLine({ first, size, root, checkpointSize, signature }: Seal): string {
  const seal = {
    first,
    size,
    root: root.toString('base64'),
    checkpoint_size: checkpointSize,
    signature: signature.toString('base64'),
  };
  return `${JSON.stringify({ seal })}\n`;
}
