import { hkdfSync } from 'node:crypto';
import { SealedText } from '../../crypto/sealed-text.ts';

/** Seals the cursors of the event lists, with their own key. */
export class EventCursors extends SealedText {
  /** @param secret 32 bytes, the same for all processes of the service */
  constructor(secret: Buffer) {
    super(Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit cursor', 32)));
  }
}
