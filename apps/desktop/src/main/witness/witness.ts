import { join } from 'node:path';
import { BadCheckpointError, VerifierKey } from '@caregate/audit-log/checkpoint';
import { readJson, writeWhole } from '../files/whole-file.ts';
import { witnessFileSchema } from '../../bridge/witness.ts';
import type { Breach, WitnessRecord, WitnessState } from '../../bridge/witness.ts';

export interface LogSource {
  readonly key: () => Promise<string | undefined>;
  readonly checkpoint: () => Promise<string | undefined>;
  readonly proof: (from: number, to: number) => Promise<unknown>;
}

interface WitnessParts {
  readonly folder: string;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

/** Has each service prove that its audit log only grew. A breach is kept until somebody resets it. */
export class Witness {
  readonly #parts: WitnessParts;
  readonly #running = new Set<string>();
  #stored: Readonly<Record<string, WitnessRecord>>;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#stored = readStored(join(parts.folder, file));
  }

  state(address: string): WitnessState {
    const stored = this.#of(address);
    if (stored === undefined) return { kind: 'nothing' };
    const { size, checkedAt, breach } = stored;
    return { kind: breach === undefined ? 'holds' : 'broken', size, checkedAt, ...breach };
  }

  /** Without a checkpoint, nothing changes. */
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

  /** Trusts the log as of the next check; the old record stays in the file. */
  reset(address: string): void {
    const stored = this.#of(address);
    if (stored === undefined) return;
    const others = Object.entries(this.#stored).filter(([whose]) => whose !== address);
    this.#write({
      ...Object.fromEntries(others),
      [`${address} until ${this.#parts.now()}`]: stored,
    });
  }

  async #check(address: string, source: LogSource): Promise<void> {
    const keyText = short(await source.key())?.trim() ?? '';
    const key = unlessBad(() => VerifierKey.parse(keyText));
    const note = key === undefined ? undefined : short(await source.checkpoint());
    // Anything but a key and a signed note: a gateway's page, an older service.
    if (key === undefined || note === undefined || !note.includes('\n\n— ')) return;
    const before = this.#of(address);
    const known = before && unlessBad(() => VerifierKey.parse(before.key));
    const last = before && unlessBad(() => known?.open(before.note));
    // First contact, or the stored record is damaged.
    if (before === undefined || known === undefined || last === undefined) {
      const first = unlessBad(() => key.open(note));
      if (first !== undefined) this.#store(address, stateOf(first, note));
      return;
    }
    // Signed by the known key or a successor that it named.
    const current = unlessBad(() => known.open(note));
    if (current === undefined) {
      this.#break(address, before, keyText === before.key ? 'badSignature' : 'keyChanged', note);
    } else if (current.size < last.size) this.#break(address, before, 'cutOff', note);
    else {
      const proof = await proofOf(source, last.size, current.size);
      // Reset meanwhile: check what is trusted now.
      if (this.#of(address) !== before) return this.#check(address, source);
      if (proof === undefined) return;
      if (!current.extends(last, proof)) this.#break(address, before, 'changed', note);
      else this.#store(address, { ...before, ...stateOf(current, note) });
    }
  }

  #of(address: string): WitnessRecord | undefined {
    return Object.hasOwn(this.#stored, address) ? this.#stored[address] : undefined;
  }

  #store(address: string, stored: Omit<WitnessRecord, 'checkedAt'>): void {
    this.#write({ ...this.#stored, [address]: { ...stored, checkedAt: this.#parts.now() } });
  }

  /** Keeps the last good checkpoint and the first that contradicts it: both are signed. */
  #break(address: string, before: WitnessRecord, why: Breach, evidence: string): void {
    const breach = before.breach ?? { why, foundAt: this.#parts.now(), evidence };
    this.#write({ ...this.#stored, [address]: { ...before, breach } });
  }

  #write(stored: Readonly<Record<string, WitnessRecord>>): void {
    writeWhole(join(this.#parts.folder, file), JSON.stringify(stored, undefined, 2));
    this.#stored = stored;
  }
}

const file = 'witness.json';
/** Cosignatures of ML-DSA-44 have 3 KB each. */
const longestAnswer = 100_000;

/** Stores the key that signed it; earlier keys are no longer accepted. */
function stateOf(
  { keys, size }: ReturnType<VerifierKey['open']>,
  note: string,
): Pick<WitnessRecord, 'key' | 'note' | 'size'> {
  return { key: keys.current.text, note, size };
}

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

async function proofOf(source: LogSource, from: number, to: number): Promise<Buffer[] | undefined> {
  if (from === to || from === 0) return [];
  const { proof } = Object(await source.proof(from, to)) as { proof?: unknown };
  if (!Array.isArray(proof) || proof.length > 128) return undefined;
  return proof.map((hash) => Buffer.from(String(hash), 'base64'));
}

function readStored(path: string): Record<string, WitnessRecord> {
  const found = Object.entries(Object(readJson(path)) as Record<string, WitnessRecord>);
  return Object.fromEntries(found.filter(([, stored]) => witnessFileSchema(stored).ok));
}
