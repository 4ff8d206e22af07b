import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signCheckpoint, VerifierKey } from '../note/checkpoint.ts';
import { cosignerKey, Cosigner } from '../note/cosigner-key.ts';
import { consistencyProof, leafHash, nodeHash, emptyRoot } from '../tree/tree.ts';
import { Policy } from './policy.ts';

/** A tree in memory that can be asked for any earlier size of itself. */
export class GrownLog {
  readonly origin: string;
  readonly privateKey: KeyObject;
  readonly leaves: Buffer[];

  constructor(leaves: readonly string[] = [], of?: GrownLog) {
    this.origin = of?.origin ?? 'clinic.example/audit/0123456789ab';
    this.privateKey = of?.privateKey ?? generateKeyPairSync('ed25519').privateKey;
    this.leaves = leaves.map((text) => leafHash(Buffer.alloc(16), Buffer.from(text)));
  }

  /** `count` leaves; logs share the first `common` of those of another branch. */
  static leaves(count: number, branch = '', common = 0): string[] {
    return Array.from({ length: count }, (_, at) => `${at < common ? '' : branch}${String(at)}`);
  }

  get key(): VerifierKey {
    return VerifierKey.of(this.origin, this.privateKey);
  }

  note(size = this.leaves.length): string {
    return signCheckpoint({ origin: this.origin, size, root: this.root(size) }, this.privateKey);
  }

  root(size: number): Buffer {
    return size === 0 ? emptyRoot : this.#node(0, size);
  }

  prove = (from: number, to: number): Promise<readonly Buffer[]> =>
    Promise.resolve(this.proof(from, to));

  proof(from: number, to: number): Buffer[] {
    return from === 0 || from === to
      ? []
      : consistencyProof(from, to, (level, index) =>
          this.#node(index * 2 ** level, (index + 1) * 2 ** level),
        );
  }

  #node(from: number, to: number): Buffer {
    if (to - from === 1) {
      return this.leaves[from] as Buffer;
    }
    let half = 1;
    while (half * 2 < to - from) {
      half *= 2;
    }
    return nodeHash(this.#node(from, from + half), this.#node(from + half, to));
  }
}

export function newCosigner(name = 'witness.example/w1'): Cosigner {
  return Cosigner.make(name)[0] as Cosigner;
}

/** One witness, which is the quorum. */
export function policyOf(cosigner: Cosigner, url: string): Policy {
  const witness = { name: 'w1', key: cosignerKey(cosigner), url };
  return new Policy([], [witness], { least: 1, members: [witness] });
}
