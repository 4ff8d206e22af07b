import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For `authorization` of a scrape. From the secret of all instances of a database, so the same on each of them. */
export class MetricsToken {
  readonly text: string;

  constructor(secret: Buffer) {
    this.text = createHmac('sha256', secret).update('metrics 1').digest('base64url');
  }

  isIn(authorization: string | undefined): boolean {
    const hashed = (text: string): Buffer => hash('sha256', text, 'buffer');
    return timingSafeEqual(hashed(authorization ?? ''), hashed(`Bearer ${this.text}`));
  }

  /** For its owner alone. A file that has it stays as it is: somebody may have let the scraper read it. */
  writeTo(dataDir: string): void {
    const file = join(dataDir, 'metrics-token');
    if (!existsSync(file) || readFileSync(file, 'utf8') !== this.text) {
      writeFileSync(file, this.text, { mode: 0o600 });
    }
  }
}
