import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The bearer token for scraping metrics. It is derived from the permanent secret, so all instances on one database
 * have the same one.
 */
export class MetricsToken {
  readonly text: string;

  constructor(secret: Buffer) {
    this.text = createHmac('sha256', secret).update('metrics 1').digest('base64url');
  }

  matches(authorization: string | undefined): boolean {
    const hashText = (text: string): Buffer => hash('sha256', text, 'buffer');
    return timingSafeEqual(hashText(authorization ?? ''), hashText(`Bearer ${this.text}`));
  }

  /**
   * Writes a file that only its owner can read. If the file already has the token, it stays unchanged, since an
   * operator may have given the scraper access.
   */
  writeTo(dataDir: string): void {
    const file = join(dataDir, 'metrics-token');
    if (!existsSync(file) || readFileSync(file, 'utf8') !== this.text) {
      writeFileSync(file, this.text, { mode: 0o600 });
    }
  }
}
