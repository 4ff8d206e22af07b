import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What only the long tier installs. */
const long = join(import.meta.dirname, 'long');

/** Makes the folder where the specs of a run keep what is packed once for all of them. */
export default function setUp() {
  process.env.PACKED_ONCE = mkdtempSync(join(tmpdir(), 'caregate-packed-once-'));
  if (process.env.TIER === 'long' && !existsSync(join(long, 'node_modules'))) {
    execFileSync('npm', ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund'], { cwd: long });
  }
}
