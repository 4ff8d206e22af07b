import { writeSync } from 'node:fs';
import { rotateKey } from '@caregate/audit-log';
import { openAuditLog } from '../src/audit/record/record-log.ts';
import { members } from '../src/audit/record/record-body.ts';
import { auditEntry } from '../src/audit/record/records.testing.ts';

// Writes to the audit log of a folder without end, and tells each record that it was told is on disk. For the tests
// that kill it, cut its power or fail its calls: `node audit-writer-child.ts FOLDER RUN [MOST]`. It needs no build:
// Node strips the types.
const [folder = '', run = '', most = 'Infinity'] = process.argv.slice(2);
const log = await openAuditLog({ dataDir: folder }, { host: 'clinic.example' });
tell('open');

let asked = 0;
const stopAfter = Number(most);
// The first few one by one, each with a commit of its own; then in groups.
await Promise.all(Array.from({ length: 1 + (Number(run) % 3) * 40 }, lane));
await log.close();
tell('closed');

async function lane(): Promise<void> {
  while (asked < stopAfter) {
    asked += 1;
    if (asked % 50 === 0) {
      // A fault may refuse it.
      await rotateKey({ dataDir: folder }, 'spec', { members }).catch(() => undefined);
    }
    const requestId = `${run}-${asked}`;
    try {
      const { seq } = await log.record(auditEntry({ requestId }));
      tell(`${seq} ${requestId}`);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AuditUnavailableError') {
        throw error;
      }
      tell(`refused ${requestId}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Written at once, by a system call: what the parent reads was acknowledged. */
function tell(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      // The pipe is full: the parent has yet to read.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        throw error;
      }
    }
  }
}
