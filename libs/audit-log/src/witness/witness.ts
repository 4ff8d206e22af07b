import { verify } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { AuditLogError, BadCheckpointError } from '../errors.ts';
import {
  parseCheckpoint,
  type Checkpoint,
  type LogKeys,
  type VerifierKey,
} from '../note/checkpoint.ts';
import { cosign, cosignedAt } from '../note/cosignature.ts';
import { cosignerKey, type Cosigner, type CosignerKey } from '../note/cosigner-key.ts';
import {
  formatNote,
  formatSignatures,
  isSameKey,
  parseNote,
  withSignatures,
  type NoteSignature,
  type SignedNote,
} from '../note/signed-note.ts';
import { emptyRoot, sha256, verifyConsistency } from '../tree/tree.ts';
import { parseAddCheckpoint, type AddCheckpoint } from './add-checkpoint.ts';

export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: string;
  readonly body: string;
}

interface WitnessParts {
  /** Keys of the same name are of one log. */
  readonly logs: readonly VerifierKey[];
  /** All of one name. */
  readonly cosigners: readonly Cosigner[];
  readonly store: Pick<WitnessStore, 'read' | 'write'>;
  readonly now: () => number;
}

interface State {
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

class Refusal extends Error {
  readonly answer: WitnessAnswer;

  constructor(answer: WitnessAnswer) {
    super(answer.body);
    this.answer = answer;
  }
}

/**
 * Cosigns the checkpoints of append-only logs (C2SP tlog-witness). State is durable before a cosignature is returned, so it
 * never cosigns two inconsistent checkpoints. Synchronous, so that no request interleaves. One process per store.
 */
export class Witness {
  readonly #logs: readonly VerifierKey[];
  readonly #cosigners: readonly Cosigner[];
  readonly #keys: readonly CosignerKey[];
  readonly #store: WitnessParts['store'];
  readonly #now: () => number;
  /** The checkpoint text that this process wrote last, by origin. */
  readonly #durable = new Map<string, string>();

  constructor({ logs, cosigners, store, now }: WitnessParts) {
    this.#logs = logs;
    this.#cosigners = cosigners;
    this.#keys = cosigners.map(cosignerKey);
    this.#store = store;
    this.#now = now;
  }

  /** With its state in a folder, which is created if missing. */
  static inFolder(folder: string, parts: Omit<WitnessParts, 'store'>): Witness {
    return new Witness({ ...parts, store: new WitnessStore(nodeDisk, resolve(folder)) });
  }

  /** @throws AuditLogError if the stored state is damaged, or the system's error if it can't be written: nothing is cosigned */
  addCheckpoint(body: Uint8Array): WitnessAnswer {
    try {
      const request = parseAddCheckpoint(body);
      const { note, checkpoint } = request;
      const old = this.#stateFor(checkpoint);
      this.#requireSignature(request, old);
      requireGrowth(request, old?.checkpoint);
      const timestamp = Math.max(1, this.#now());
      const signatures = this.#cosigners.map((cosigner) => cosign(note.text, cosigner, timestamp));
      this.#keep(note, checkpoint, signatures);
      return { status: 200, contentType: plainText, body: formatSignatures(signatures) };
    } catch (error) {
      if (error instanceof Refusal) {
        return error.answer;
      }
      if (error instanceof BadCheckpointError) {
        return refusal(400, error.message).answer;
      }
      throw error;
    }
  }

  /** For `GET <origin hash>/checkpoint`. @throws AuditLogError if the stored state is damaged */
  checkpoint(hash: string): string | undefined {
    const log = this.#logs.find(({ name }) => originHash(name) === hash);
    const state = log && this.#state(log.name);
    return state && formatNote(state.note);
  }

  #stateFor({ origin }: Checkpoint): State | undefined {
    if (!this.#logs.some(({ name }) => name === origin)) {
      throw refusal(404, `This witness does not know the log ${origin}`);
    }
    return this.#state(origin);
  }

  /** Accepts a key of the log or a successor, and then no earlier key. */
  #requireSignature({ note, checkpoint: { origin } }: AddCheckpoint, old: State | undefined): void {
    const keys = this.#logs.filter(({ name }) => name === origin);
    const keysIn = (one: SignedNote): LogKeys[] =>
      keys.flatMap((key) => key.tryOpen(formatNote(one))?.keys ?? []);
    const signers = keysIn(note);
    const last = (old && keysIn(old.note)[0]) ?? signers[0];
    // Tries each: anybody may leave out or add lines that name keys.
    const isSigned =
      last !== undefined && signers.length > 0 && signers.every((of) => of.has(last.current));
    // An invalid signature of a known key makes the note malformed (C2SP signed-note).
    const isForged = note.signatures.some((signature) =>
      keys.some(
        (key) =>
          isSameKey(signature, key) &&
          !verify(null, Buffer.from(note.text), key.publicKey, signature.bytes),
      ),
    );
    if (isForged || !isSigned) {
      throw refusal(403, `The checkpoint is not signed by a key of the log ${origin}`);
    }
  }

  /** Not rewritten if this process wrote it: a public checkpoint could keep the disk busy. What was read may not be durable. */
  #keep({ text, signatures }: SignedNote, of: Checkpoint, own: readonly NoteSignature[]): void {
    if (this.#durable.get(of.origin) !== text) {
      const verified = signatures.filter(({ name }) => name === of.origin);
      const cosigned = withSignatures({ text, signatures: verified }, own);
      this.#durable.delete(of.origin);
      this.#store.write(originHash(of.origin), formatNote(cosigned));
      this.#durable.set(of.origin, text);
    }
  }

  /** The last cosigned checkpoint, verified against damage. */
  #state(origin: string): State | undefined {
    const hash = originHash(origin);
    const stored = this.#store.read(hash);
    if (stored === undefined) {
      return undefined;
    }
    try {
      const note = parseNote(stored);
      const checkpoint = parseCheckpoint(note.text);
      const isOurs = this.#keys.some((key) => cosignedAt(note, key) !== undefined);
      if (isOurs && checkpoint.origin === origin) {
        return { note, checkpoint };
      }
    } catch (error) {
      if (!(error instanceof BadCheckpointError)) {
        throw error;
      }
    }
    throw new AuditLogError(
      `The state of the log ${origin} is damaged, or of another witness key (file ${hash}): nothing is cosigned for this log`,
    );
  }
}

function requireGrowth({ oldSize, proof, checkpoint }: AddCheckpoint, last?: Checkpoint): void {
  const { size, root } = checkpoint;
  if (oldSize > size) {
    throw refusal(400, 'The old size is larger than the checkpoint');
  }
  const old = last ?? { size: 0, root: emptyRoot };
  if (oldSize !== old.size) {
    throw new Refusal({
      status: 409,
      contentType: sizeType,
      body: `${String(old.size)}\n`,
    });
  }
  if (!verifyConsistency(old.size, size, proof, old.root, root)) {
    throw refusal(
      422,
      old.size === size
        ? `This witness cosigned another tree of ${String(size)} records`
        : `The proof does not show that the tree of ${String(size)} records begins with the ${String(old.size)} that were cosigned`,
    );
  }
}

const plainText = 'text/plain; charset=utf-8';
export const sizeType = 'text/x.tlog.size';

function refusal(status: 400 | 403 | 404 | 422, sentence: string): Refusal {
  return new Refusal({ status, contentType: plainText, body: `${sentence}\n` });
}

/** SHA-256 of the origin, as C2SP tlog-witness names a log in addresses. */
export function originHash(origin: string): string {
  return sha256(Buffer.from(origin)).toString('hex');
}

/** One file per log, replaced atomically. */
export class WitnessStore {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
    disk.makeFolder(folder);
    disk.syncFolder(dirname(folder));
  }

  read(originHash: string): string | undefined {
    return this.#disk.read(join(this.#folder, originHash))?.toString();
  }

  /** Durable when it returns; atomic on errors. */
  write(originHash: string, note: string): void {
    writeWhole(this.#disk, join(this.#folder, originHash), Buffer.from(note));
  }
}
