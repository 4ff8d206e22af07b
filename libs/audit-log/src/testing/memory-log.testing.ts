import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CutChecks, type CutChecksOptions, type CutReport } from '../cut/cut-checks.ts';
import type { CutAct } from '../cut/commands/cut-acts.ts';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { auditBody } from '../entry/body.ts';
import type { LogSource, StoredEntry } from '../log-source.ts';
import {
  formatVerifierKey,
  parseVerifierKey,
  signCheckpoint,
  verifierKey,
  type LogIdentity,
} from '../note/checkpoint.ts';
import { Frontier, leafHash } from '../tree/tree.ts';
import { auditEntry } from './audit-entry.testing.ts';

/** A log in memory, written by whoever has it: for rules that must hold against its writer. */
export class MemoryLog implements LogSource {
  key = generateKeyPairSync('ed25519').privateKey;
  readonly origin: string;
  readonly #logId: string;
  readonly #entries: Buffer[] = [];
  readonly #leaves: Buffer[] = [];
  readonly #nodes = new Map<string, Buffer>();
  readonly #tree = new Frontier();
  /** The first so many are erased. */
  erased = 0;
  /** Where another key began, if the log was taken over. */
  upgradedAt: number | undefined;

  constructor(logId = '0a1b2c3d4e5f') {
    this.#logId = logId;
    this.origin = `health.example.org/audit/${logId}`;
  }

  /** Adds a record; gives its position. */
  add(entry: Partial<AuditEntry>, at: string | number): number {
    const seq = this.#entries.length;
    const recordedAtUs = new Date(at).getTime() * 1000;
    const place = { logId: this.#logId, seq, recordedAtUs, serverId: 'one' };
    const salt = randomBytes(16);
    const body = Buffer.from(auditBody(auditEntry(entry), place).body);
    this.#append(Buffer.concat([salt, body]));
    return seq;
  }

  /** Another history from here on, of the same log. */
  copy(): MemoryLog {
    const copy = new MemoryLog(this.#logId);
    copy.key = this.key;
    copy.erased = this.erased;
    this.#entries.forEach((entry) => {
      copy.#append(entry);
    });
    return copy;
  }

  /** Records acts as a command does. */
  act(acts: readonly CutAct[], at: string | number): void {
    acts.forEach((act) => this.add({ ...act, patients: [] }, at));
  }

  identity(): LogIdentity {
    const verifier = formatVerifierKey(verifierKey(this.origin, this.key));
    return { logId: this.#logId, origin: this.origin, verifierKey: verifier };
  }

  size(): number {
    return this.#entries.length;
  }

  checkpoint(): string {
    const { origin } = this;
    return signCheckpoint({ origin, size: this.size(), root: this.#tree.root() }, this.key);
  }

  node(level: number, index: number): Buffer {
    return this.#nodes.get(`${level}/${index}`) as Buffer;
  }

  *read(from: number, to: number): Iterable<StoredEntry> {
    for (let seq = from; seq < to; seq += 1) {
      const entry = seq < this.erased ? undefined : (this.#entries[seq] as Buffer);
      yield { seq, leafHash: this.#leaves[seq] as Buffer, entry };
    }
  }

  /** What a verifier says. @throws AuditBrokenError */
  verified(options: Partial<CutChecksOptions> = {}): CutReport {
    const keys = [parseVerifierKey(this.identity().verifierKey)];
    const checks = new CutChecks({ keys, ...options });
    if (this.upgradedAt !== undefined) {
      checks.mayUpgradeAt(this.upgradedAt);
    }
    const tree = new Frontier();
    for (const { seq, entry, leafHash: leaf } of this.read(0, this.size())) {
      if (entry === undefined) {
        checks.takeErased(seq);
      } else {
        checks.take(seq, entry.toString('latin1', 16), () => tree.root());
      }
      tree.append(leaf);
    }
    return checks.finish();
  }

  /** The lines of an NDJSON export. */
  exported(): string[] {
    const { origin, verifierKey: key } = this.identity();
    const records = [...this.read(0, this.size())].map(({ seq, entry, leafHash: leaf }) =>
      entry === undefined
        ? { seq, leaf_hash: leaf.toString('hex'), erased: true }
        : { seq, salt: entry.toString('hex', 0, 16), body: entry.toString('utf8', 16) },
    );
    return [
      { log: origin, verifier_key: key, size: this.size() },
      ...records,
      { checkpoint: this.checkpoint() },
    ].map((line) => JSON.stringify(line));
  }

  #append(entry: Buffer): void {
    const leaf = leafHash(entry.subarray(0, 16), entry.subarray(16));
    this.#nodes.set(`0/${this.size()}`, leaf);
    this.#entries.push(entry);
    this.#leaves.push(leaf);
    this.#tree.append(leaf, (level, index, hash) => this.#nodes.set(`${level}/${index}`, hash));
  }
}
