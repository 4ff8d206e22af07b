import type { Refusal } from './report.ts';

/** The bytes of a message without its frame, or why there is none. */
export type Piece =
  | { readonly bytes: Buffer }
  /** `no-frame`: bytes outside a frame; `no-end`: the bytes ended within a frame; `too-long`: more than 16 MiB. */
  | { readonly fault: 'no-frame' | 'no-end' | 'too-long'; readonly refusal: Refusal };

/** Of a connection: each message in a frame of MLLP. A piece is given as soon as its last byte is there. */
// eslint-disable-next-line require-yield, typescript/require-await
export async function* splitFrames(_chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  throw new Error('not built yet');
}

/** Of a file: framed, or one message after another, each beginning with MSH. */
// eslint-disable-next-line require-yield, typescript/require-await
export async function* splitFile(_chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  throw new Error('not built yet');
}
