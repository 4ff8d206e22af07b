import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder where the specs of a run keep what is packed once for all of them. */
export default function setUp() {
  process.env.PACKED_ONCE = mkdtempSync(join(tmpdir(), 'caregate-packed-once-'));
}
