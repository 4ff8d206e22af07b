import { AuditBrokenError } from '../errors.ts';
import type { LogSource } from './log-source.ts';
import {
  caching,
  consistencyProof,
  inclusionProof,
  leafHash,
  rootAt,
  verifyConsistency,
  verifyInclusion,
  type NodeReader,
} from '../tree/tree.ts';

/** A tree that the key of a log signed: an opened checkpoint, or a seal. */
export interface SignedTree {
  readonly size: number;
  readonly root: Buffer;
}

/** Proves what a stored log has: all that it returns was verified with the signed root. */
export class ProvenTree {
  readonly #log: Pick<LogSource, 'withNodes'>;
  readonly #signed: SignedTree;

  constructor(log: Pick<LogSource, 'withNodes'>, { size, root }: SignedTree) {
    this.#log = log;
    this.#signed = { size, root };
  }

  /** @throws RangeError if a tree of that size has no such record, or does not exist yet; AuditBrokenError */
  async inclusion(
    seq: number,
    size: number = this.#signed.size,
  ): Promise<{ readonly hashes: readonly Buffer[]; readonly leafHash: Buffer }> {
    const { root, hashes, leaf } = await this.#within(size, (read) => ({
      hashes: inclusionProof(seq, size, read),
      leaf: read(0, seq),
    }));
    if (!verifyInclusion(leaf, seq, size, hashes, root)) {
      throw differs('The inclusion proof does not match the signed root');
    }
    return { hashes, leafHash: leaf };
  }

  /** @throws RangeError if there is no such tree yet; AuditBrokenError */
  async consistency(
    older: number,
    size: number = this.#signed.size,
  ): Promise<{
    readonly hashes: readonly Buffer[];
    readonly olderRoot: Buffer;
    readonly root: Buffer;
  }> {
    const { root, hashes, olderRoot } = await this.#within(size, (read) => ({
      hashes: consistencyProof(older, size, read),
      olderRoot: rootAt(older, read),
    }));
    if (!verifyConsistency(older, size, hashes, olderRoot, root)) {
      throw differs('The consistency proof does not match the signed root');
    }
    return { hashes, olderRoot, root };
  }

  /** @throws AuditBrokenError if the tree has another record there, or none */
  async requireEntries(
    entries: readonly { readonly seq: number; readonly entry: Buffer }[],
  ): Promise<void> {
    const { size, root } = this.#signed;
    const beyond = entries.find(({ seq }) => seq >= size);
    if (beyond !== undefined) {
      throw new AuditBrokenError('bad_signature', `Record ${beyond.seq} is not sealed`, beyond.seq);
    }
    const proofs = await this.#log.withNodes((read) => {
      const cached = caching(read);
      return entries.map(({ seq }) => inclusionProof(seq, size, cached));
    });
    for (const [at, { seq, entry }] of entries.entries()) {
      if (!verifyInclusion(leafHash(entry), seq, size, proofs[at] ?? [], root)) {
        throw differs(`Record ${seq} is not the one that was signed`, seq);
      }
    }
  }

  /** The root of an earlier tree is trusted only if the signed tree is consistent with it. */
  async #within<T extends object>(
    size: number,
    compute: (read: NodeReader) => T,
  ): Promise<T & { readonly root: Buffer }> {
    const signed = this.#signed;
    if (size > signed.size) {
      throw new RangeError(`The signed log has ${signed.size} records, not ${size}`);
    }
    const found = await this.#log.withNodes((read) => ({
      ...compute(read),
      root: rootAt(size, read),
      onward: consistencyProof(size, signed.size, read),
    }));
    if (!verifyConsistency(size, signed.size, found.onward, found.root, signed.root)) {
      throw differs('The stored log does not match the signed root');
    }
    return found;
  }
}

function differs(message: string, seq?: number): AuditBrokenError {
  return new AuditBrokenError('altered', message, seq);
}
