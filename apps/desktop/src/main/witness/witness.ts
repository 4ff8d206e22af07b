import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BadCheckpointError,
  openCheckpoint,
  parseVerifierKey,
  verifyConsistency,
} from '@caregate/audit-log/checkpoint';
import { witnessFileSchema } from '../../bridge/witness.ts';
import type { Breach, WitnessRecord, WitnessState } from '../../bridge/witness.ts';

/** What a service says of its audit log; undefined where it says nothing. */
export interface LogSource {
  readonly key: () => Promise<string | undefined>;
  readonly checkpoint: () => Promise<string | undefined>;
  /** JSON with the hashes that lead from the older to the newer size. */
  readonly proof: (from: number, to: number) => Promise<unknown>;
}

interface WitnessParts {
  /** Where the checkpoints are kept; nothing in them is about a patient. */
  readonly folder: string;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

/**
 * Keeps the last checkpoint of each service's audit log, and asks the service to prove that its log only grew since. A
 * log that was changed, cut off or replaced can't be proven: that is said and kept until someone begins anew.
 */
export class Witness {
  readonly #parts: WitnessParts;
  readonly #running = new Set<string>();
  #kept: Readonly<Record<string, WitnessRecord>>;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#kept = readKept(join(parts.folder, file));
  }

  state(address: string): WitnessState {
    const kept = this.#of(address);
    if (kept === undefined) return { kind: 'nothing' };
    const { size, checkedAt, breach } = kept;
    return { kind: breach === undefined ? 'holds' : 'broken', size, checkedAt, ...breach };
  }

  /** Checks the service's log against what is kept. Where the service gives no checkpoint, all stays as it was. */
  async check(address: string, source: LogSource): Promise<WitnessState> {
    if (!this.#running.has(address)) {
      this.#running.add(address);
      try {
        await this.#check(address, source);
      } finally {
        this.#running.delete(address);
      }
    }
    return this.state(address);
  }

  /** Trusts the log as it will be at the next check; what was kept goes aside, and stays in the file. */
  reset(address: string): void {
    const kept = this.#of(address);
    if (kept === undefined) return;
    const others = Object.entries(this.#kept).filter(([whose]) => whose !== address);
    this.#write({ ...Object.fromEntries(others), [`${address} until ${this.#parts.now()}`]: kept });
  }

  async #check(address: string, source: LogSource): Promise<void> {
    const keyText = short(await source.key())?.trim() ?? '';
    const key = unlessBad(() => parseVerifierKey(keyText));
    const note = key === undefined ? undefined : short(await source.checkpoint());
    // Anything else than a key and a signed note is no answer of such a service: a gateway's page, an older service.
    if (key === undefined || note === undefined || !note.includes('\n\n— ')) return;
    const given = unlessBad(() => openCheckpoint(note, key));
    const before = this.#of(address);
    const last =
      before && unlessBad(() => openCheckpoint(before.note, parseVerifierKey(before.key)));
    // Seen for the first time, or what was kept is damaged: then there is nothing to hold against the service.
    if (before === undefined || last === undefined) {
      if (given !== undefined) this.#keep(address, { key: keyText, note, size: given.size });
      return;
    }
    if (keyText !== before.key) this.#break(address, before, 'keyChanged', note);
    else if (given === undefined) this.#break(address, before, 'badSignature', note);
    else if (given.size < last.size) this.#break(address, before, 'cutOff', note);
    else {
      const proof = await proofOf(source, last.size, given.size);
      // Somebody has begun anew meanwhile: what they trust is looked at now, not at the next sign-in.
      if (this.#of(address) !== before) return this.#check(address, source);
      if (proof === undefined) return;
      const { size, root } = given;
      if (!verifyConsistency(last.size, size, proof, last.root, root))
        this.#break(address, before, 'changed', note);
      else this.#keep(address, { ...before, note, size });
    }
  }

  #of(address: string): WitnessRecord | undefined {
    return Object.hasOwn(this.#kept, address) ? this.#kept[address] : undefined;
  }

  #keep(address: string, kept: Omit<WitnessRecord, 'checkedAt'>): void {
    this.#write({ ...this.#kept, [address]: { ...kept, checkedAt: this.#parts.now() } });
  }

  /** The last good checkpoint stays, beside the first one that doesn't follow from it: both are signed, and prove it. */
  #break(address: string, before: WitnessRecord, why: Breach, evidence: string): void {
    const breach = before.breach ?? { why, foundAt: this.#parts.now(), evidence };
    this.#write({ ...this.#kept, [address]: { ...before, breach } });
  }

  /** Written whole or not at all. */
  #write(kept: Readonly<Record<string, WitnessRecord>>): void {
    const { folder } = this.#parts;
    mkdirSync(folder, { recursive: true });
    const half = join(folder, `${file}.new`);
    writeFileSync(half, JSON.stringify(kept, undefined, 2), { mode: 0o600 });
    renameSync(half, join(folder, file));
    this.#kept = kept;
  }
}

const file = 'witness.json';
/** A checkpoint may carry many cosignatures; those of ML-DSA-44 have 3 KB each. */
const longestAnswer = 100_000;

/** Undefined for what is no key or no checkpoint that it signed. */
function unlessBad<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadCheckpointError) return undefined;
    throw error;
  }
}

function short(answer: string | undefined): string | undefined {
  return answer !== undefined && answer.length <= longestAnswer ? answer : undefined;
}

/** The hashes of a consistency proof; undefined where the service gives none. */
async function proofOf(source: LogSource, from: number, to: number): Promise<Buffer[] | undefined> {
  if (from === to || from === 0) return [];
  const { proof } = Object(await source.proof(from, to)) as { proof?: unknown };
  if (!Array.isArray(proof) || proof.length > 128) return undefined;
  return proof.map((hash) => Buffer.from(String(hash), 'base64'));
}

function readKept(path: string): Record<string, WitnessRecord> {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter(([, kept]) => witnessFileSchema(kept).ok),
    );
  } catch {
    return {};
  }
}
