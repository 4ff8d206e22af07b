import { BadCheckpointError } from '../errors.ts';
import { parseCheckpoint } from '../note/checkpoint.ts';
import { cosignedAt } from '../note/cosignature.ts';
import type { CosignerKey } from '../note/cosigner-key.ts';
import {
  isSameKey,
  parseSignatures,
  type NoteSignature,
  type SignedNote,
} from '../note/signed-note.ts';
import { formatAddCheckpoint } from './add-checkpoint.ts';
import { sizeType } from './witness.ts';

type SubmissionKind =
  | 'cosigned'
  /** The witness saw a larger tree: this log was rolled back, or its key is used twice. */
  | 'ahead'
  /** The witness saw another tree: this log was altered. */
  | 'inconsistent'
  | 'unknown-log'
  /** The cosignature is invalid or missing. */
  | 'bad-signature'
  /** No answer in time, no connection, or an invalid answer. */
  | 'unavailable';

export interface Submission {
  readonly kind: SubmissionKind;
  readonly message: string;
  /** Empty unless cosigned. */
  readonly signatures: readonly NoteSignature[];
  /** Size that the witness cosigned before, if known. */
  readonly theirSize?: number;
}

/** The used part of `fetch`. It MUST NOT follow redirects. */
export type Post = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface Submitted {
  readonly fetch: Post;
  readonly witness: {
    readonly name: string;
    readonly key: CosignerKey;
    readonly url: string;
  };
  readonly note: SignedNote;
  /** Size that the witness presumably cosigned last. */
  readonly oldSize: number;
  /** Consistency proof of two sizes above zero. */
  readonly prove: (from: number, to: number) => Promise<readonly Buffer[]>;
  readonly deadlineMs: number;
  readonly stop?: AbortSignal;
}

const mostAnswerBytes = 64 * 1024;

/** Retries once with the witness's size (C2SP tlog-witness). @throws what `prove` throws */
export async function submitCheckpoint(submitted: Submitted): Promise<Submission> {
  const { size } = parseCheckpoint(submitted.note.text);
  // Submitted even if the witness cosigned more: its answer proves it.
  const first = await ask(submitted, submitted.oldSize > size ? 0 : submitted.oldSize);
  const theirs = first.status === 409 ? sizeIn(first) : undefined;
  if (theirs === undefined) {
    return outcome(submitted, first, undefined);
  }
  if (theirs > size) {
    return {
      kind: 'ahead',
      message: `It says that it cosigned ${String(theirs)} records of this log, which has ${String(size)}: the log was rolled back, or another log has its key`,
      signatures: [],
      theirSize: theirs,
    };
  }
  return outcome(submitted, await ask(submitted, theirs), theirs);
}

interface Answer {
  readonly status: number | undefined;
  readonly contentType: string;
  readonly body: string;
}

async function ask(submitted: Submitted, oldSize: number): Promise<Answer> {
  const { fetch, witness, note, prove, deadlineMs, stop } = submitted;
  const { size } = parseCheckpoint(note.text);
  const proof = oldSize === 0 || oldSize === size ? [] : await prove(oldSize, size);
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: formatAddCheckpoint({ oldSize, proof, note }),
      redirect: 'error',
      signal: stop === undefined ? deadline : AbortSignal.any([deadline, stop]),
    });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, body: await textOf(response) };
  } catch (error) {
    return { status: undefined, contentType: '', body: reasonOf(error, deadline, deadlineMs) };
  }
}

function outcome(submitted: Submitted, answer: Answer, theirSize: number | undefined): Submission {
  const { kind, message, signatures = [] } = judged(submitted, answer);
  return { kind, message, signatures, ...(theirSize === undefined ? {} : { theirSize }) };
}

function judged(
  { witness, note }: Submitted,
  { status, body }: Answer,
): { kind: SubmissionKind; message: string; signatures?: readonly NoteSignature[] } {
  switch (status) {
    case 200:
      try {
        return {
          kind: 'cosigned',
          message: 'Cosigned',
          signatures: verified(body, note, witness.key),
        };
      } catch (error) {
        if (error instanceof BadCheckpointError) {
          return { kind: 'bad-signature', message: error.message };
        }
        throw error;
      }
    case 404:
      return {
        kind: 'unknown-log',
        message: 'It does not know this log: give it the public key (caregate audit public-key)',
      };
    case 403:
      return {
        kind: 'unknown-log',
        message:
          'It has another key for this log: give it the public key (caregate audit public-key)',
      };
    case 422:
      return {
        kind: 'inconsistent',
        message:
          'It says that this log does not extend the one that it cosigned: the log was changed',
      };
    case 409:
      return { kind: 'unavailable', message: 'It does not say which size it cosigned last' };
    case undefined:
      return { kind: 'unavailable', message: body };
    default:
      return { kind: 'unavailable', message: `It answered with status ${String(status)}` };
  }
}

function verified(body: string, { text }: SignedNote, key: CosignerKey): readonly NoteSignature[] {
  const signatures = parseSignatures(body).filter((signature) => isSameKey(signature, key));
  if (cosignedAt({ text, signatures }, key) === undefined) {
    throw new BadCheckpointError(`The answer has no cosignature of ${key.name}`);
  }
  return signatures.slice(-1);
}

function sizeIn({ contentType, body }: Answer): number | undefined {
  const isSize = contentType.split(';')[0]?.trim().toLowerCase() === sizeType;
  const size = isSize && /^(?:0|[1-9]\d{0,15})\n$/u.test(body) ? Number(body) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > mostAnswerBytes) {
      throw new Error('its answer is too long');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reasonOf(error: unknown, deadline: AbortSignal, deadlineMs: number): string {
  if (deadline.aborted) {
    return `No answer within ${String(deadlineMs)} ms`;
  }
  // fetch reports the reason as the cause.
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as NodeJS.ErrnoException;
  return `No answer: ${code ?? message}`;
}
