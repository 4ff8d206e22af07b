import { BadCheckpointError } from '../errors.ts';
import { parseCheckpoint, type Checkpoint } from '../note/checkpoint.ts';
import { formatNote, parseNote, type SignedNote } from '../note/signed-note.ts';

/** A request to cosign a checkpoint (C2SP tlog-witness). */
export interface AddCheckpoint {
  readonly oldSize: number;
  readonly proof: readonly Buffer[];
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

const mostHashes = 63;

export function formatAddCheckpoint({
  oldSize,
  proof,
  note,
}: Omit<AddCheckpoint, 'checkpoint'>): string {
  const hashes = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `old ${String(oldSize)}\n${hashes}\n${formatNote(note)}`;
}

/** @throws BadCheckpointError with a sentence for the client */
export function parseAddCheckpoint(body: Uint8Array): AddCheckpoint {
  const text = decode(body);
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = end < 0 ? [] : text.slice(0, end).split('\n');
  const [, size] = /^old (0|[1-9]\d{0,15})$/u.exec(first) ?? [];
  const oldSize = Number(size);
  if (size === undefined || !Number.isSafeInteger(oldSize)) {
    throw new BadCheckpointError(
      'Expected a line "old <size>", lines of the proof, an empty line, and a checkpoint',
    );
  }
  if (lines.length > mostHashes) {
    throw new BadCheckpointError(`A proof has at most ${String(mostHashes)} hashes`);
  }
  const note = parseNote(text.slice(end + 2));
  return { oldSize, proof: lines.map(hashOf), note, checkpoint: parseCheckpoint(note.text) };
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw new BadCheckpointError('The request is not UTF-8', error);
  }
}

function hashOf(line: string): Buffer {
  const hash = Buffer.from(line, 'base64');
  if (hash.length !== 32 || hash.toString('base64') !== line) {
    throw new BadCheckpointError('Each line of the proof is the base64 of 32 bytes');
  }
  return hash;
}
