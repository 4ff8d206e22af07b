import {
  AuditBrokenError,
  AuditLogError,
  CUT,
  type Checkpoint,
  Frontier,
  type VerifierKey,
  openCheckpoint,
  sha256,
} from '@caregate/audit-log';

export type StoredRecord = [
  seq: number,
  leafHash: Uint8Array,
  /** The hashed bytes: 0x00, salt and body; null after a retention cut. */
  entry: Uint8Array | null,
];

/** Data related to the records; read in the order of the records. */
export interface RelatedRows {
  patientsOf(seq: number): string[];
  isNextNode(level: number, index: number, hash: Buffer): boolean;
}

export interface VerifyReport {
  readonly size: number;
  readonly root: Buffer;
  /** Number of verified checkpoints. */
  readonly checkpoints: number;
  /** Number of records erased by retention cuts. */
  readonly cut: number;
}

export interface LogParts {
  readonly logId: string;
  /** Number of records according to the head. */
  readonly size: number;
  readonly key: VerifierKey;
  /** A checkpoint kept in another place. */
  readonly outside: Checkpoint | undefined;
  /** The stored ones, `{size, note}`, by size. */
  readonly checkpoints: Iterator<unknown>;
}

// 0x00 and 16 bytes of salt precede the body.
const saltEnd = 17;

/** How each record of the earlier versions ends: in the files each one says 2, which its hash proves. */
const oldVersion = ',"version":1}';
const cutText = `"operation":"${CUT}"`;

/** Verifies a log on any engine: pass it all records in order. Throws AuditBrokenError at the first failure. */
export class LogChecks {
  readonly tree = new Frontier();
  readonly #size: number;
  readonly #checkpoints: Checkpoints;
  // The canonical form makes these texts unique.
  readonly #logIdText: string;
  #cut = 0;
  readonly #cuts: { readonly seq: number; readonly upTo: number }[] = [];

  constructor(parts: LogParts) {
    this.#size = parts.size;
    this.#logIdText = `"log_id":"${parts.logId}","`;
    this.#checkpoints = new Checkpoints(parts);
    this.#checkpoints.check(this.tree);
  }

  take([seq, storedLeaf, entry]: StoredRecord, beside: RelatedRows): void {
    const { tree } = this;
    if (seq !== tree.size) {
      throw new AuditBrokenError('gap', `Record ${tree.size} is missing`, tree.size);
    }
    if (seq >= this.#size) {
      throw new AuditBrokenError('altered', `Record ${seq} is beyond the head of the log`, seq);
    }
    let holds: boolean;
    let leaf: Buffer;
    if (entry === null) {
      leaf = Buffer.from(storedLeaf);
      holds = this.#cut === seq && beside.patientsOf(seq).length === 0;
      this.#cut += 1;
    } else {
      leaf = sha256(entry);
      // As bytes instead of characters: twice as fast.
      const bytes = Buffer.from(entry.buffer, entry.byteOffset + saltEnd, entry.length - saltEnd);
      const body = bytes.toString('latin1');
      // Members are sorted in the canonical form, so each is searched after the previous one; only details, before the first, have members.
      const logIdAt = body.lastIndexOf(this.#logIdText);
      const operationAt = body.indexOf('"operation":"', logIdAt);
      const patients = beside.patientsOf(seq);
      const patientsAt = body.indexOf(
        `"patients":${asBytes(JSON.stringify(patients))},"`,
        operationAt,
      );
      holds =
        leaf.equals(storedLeaf) &&
        logIdAt >= 0 &&
        operationAt >= 0 &&
        patientsAt >= 0 &&
        body.includes(`"seq":${seq},"`, patientsAt);
      if (holds && !body.endsWith(oldVersion)) {
        throw new AuditLogError(
          `Record ${seq} of audit.db was written by this version, in whose place somebody put audit.db: it is not taken over.`,
        );
      }
      if (body.startsWith(cutText, operationAt)) {
        this.#cuts.push({ seq, upTo: cutUpTo(bytes.toString()) });
      }
    }
    tree.append(leaf, (level, index, hash) => {
      holds &&= beside.isNextNode(level, index, hash);
    });
    if (!holds) {
      throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
    }
    this.#checkpoints.check(tree);
  }

  /** Call after the last record. @param headHolds whether the stored head matches the tree */
  finish(
    headHolds: (tree: Frontier) => boolean,
    requireNoneLeft: (size: number) => void,
  ): VerifyReport {
    const { size } = this.tree;
    if (size < this.#size) {
      throw new AuditBrokenError(
        'truncated',
        `The log is truncated after ${size} of ${this.#size} records`,
        size,
      );
    }
    if (!headHolds(this.tree)) {
      throw new AuditBrokenError('altered', 'The head does not match the records');
    }
    requireNoneLeft(size);
    this.#checkpoints.requireNoneLeft(size);
    this.#requireCuts();
    const { checked: checkpoints } = this.#checkpoints;
    return { size, root: this.tree.root(), checkpoints, cut: this.#cut };
  }

  /** Anybody can write a record after the last checkpoint: none of those allows anything. */
  #requireCuts(): void {
    const { signed } = this.#checkpoints;
    const proved = this.#cuts.filter(({ seq }) => seq < signed);
    const allowed = Math.max(0, ...proved.map(({ upTo }) => upTo));
    if (this.#cut > allowed) {
      const late = this.#cuts.find(({ seq }) => seq >= signed);
      const why =
        late === undefined
          ? ''
          : `: the cut in record ${late.seq} follows the last checkpoint, and nothing proves it`;
      throw new AuditBrokenError(
        'altered',
        `Record ${allowed} was erased without a retention cut${why}`,
        allowed,
      );
    }
  }
}

/** The UTF-8 bytes of a text, one character per byte; most texts are ASCII. */
function asBytes(text: string): string {
  return /^[\x20-\x7e]*$/u.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** The stored checkpoints and the external one; each is compared when the tree reaches its size. */
class Checkpoints {
  checked = 0;
  /** Size of the last one that was verified. */
  signed = 0;
  readonly #key: VerifierKey;
  readonly #stored: Iterator<unknown>;
  readonly #outside: Checkpoint | undefined;
  #next: { readonly size: number; readonly note: string } | undefined;

  constructor({ key, outside, checkpoints }: LogParts) {
    this.#key = key;
    this.#outside = outside;
    this.#stored = checkpoints;
    this.#advance();
  }

  check(tree: Frontier): void {
    if (this.#outside?.size === tree.size && !this.#outside.root.equals(tree.root())) {
      throw new AuditBrokenError(
        'forked',
        `The log was forked: its first ${tree.size} records do not match the given checkpoint`,
      );
    }
    if (this.#next?.size !== tree.size) {
      return;
    }
    let signed: Checkpoint;
    try {
      signed = openCheckpoint(this.#next.note, this.#key);
    } catch {
      throw new AuditBrokenError(
        'bad_signature',
        `The stored checkpoint of ${tree.size} records has no valid signature`,
      );
    }
    if (signed.size !== tree.size || !signed.root.equals(tree.root())) {
      throw new AuditBrokenError(
        'forked',
        `The log was forked: its first ${tree.size} records do not match their stored checkpoint`,
      );
    }
    this.checked += 1;
    this.signed = signed.size;
    this.#advance();
  }

  requireNoneLeft(size: number): void {
    const beyond = Math.max(this.#outside?.size ?? 0, this.#next?.size ?? 0);
    if (beyond > size) {
      throw new AuditBrokenError(
        'truncated',
        `The log is truncated: a checkpoint covers ${beyond} records, the log has ${size}`,
        size,
      );
    }
    if (this.#next !== undefined) {
      throw new AuditBrokenError('altered', 'A stored checkpoint is out of order');
    }
  }

  #advance(): void {
    const next = this.#stored.next();
    this.#next = next.done === true ? undefined : (next.value as { size: number; note: string });
  }
}

function cutUpTo(body: string): number {
  const { operation, details } = JSON.parse(body) as {
    operation: string;
    details: Record<string, unknown>;
  };
  const before = details['before_seq'];
  return operation === CUT && typeof before === 'number' ? before : 0;
}
