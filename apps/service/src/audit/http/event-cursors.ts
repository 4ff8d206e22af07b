import { hkdfSync } from 'node:crypto';
import { SealedText } from '../../crypto/sealed-text.ts';

/** Seals the cursors of the lists of events, with a key of their own. */
export class EventCursors extends SealedText {
  /** @param secret 32 bytes, the same on every process that answers */
  constructor(secret: Buffer) {
    super(Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit cursor', 32)));
  }
}
