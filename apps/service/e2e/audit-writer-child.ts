import { writeSync } from 'node:fs';

// Writes to the audit log of a folder without end, and tells each record that it was told is on disk. For the tests
// that kill it, cut its power or fail its calls: `node audit-writer-child.ts FOLDER RUN [MOST]`.
interface Entry {
  readonly [field: string]: unknown;
}
interface Writer {
  readonly openAuditLog: (
    folder: string,
    options: object,
  ) => Promise<{
    record(entry: Entry): Promise<{ seq: number }>;
    close(): Promise<void>;
  }>;
}

const [folder = '', run = '', most = 'Infinity'] = process.argv.slice(2);
// By address, so that it needs no build: Node strips the types.
const writer = new URL('../src/audit/audit-writer.ts', import.meta.url).href;
const { openAuditLog } = (await import(writer)) as Writer;
const log = await openAuditLog(folder, { checkpointEveryRecords: 200, host: 'clinic.example' });
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
    const requestId = `${run}-${asked}`;
    try {
      const { seq } = await log.record(entry(requestId));
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

function entry(requestId: string): Entry {
  return {
    teamId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    actorType: 'key',
    actorId: 'front-desk-1',
    role: 'clinician',
    keyId: 'AbCdEf012345',
    sessionId: null,
    operation: 'resolveUser',
    dataCategory: 'user',
    decision: 'allowed',
    reasonCode: null,
    httpStatus: 200,
    purposeOfUse: 'TREAT',
    breakGlassId: null,
    orderId: null,
    recordCount: 1,
    requestId,
    clientIp: '192.0.2.7',
    deviceId: null,
    policyVersion: '1',
    patients: ['3fa85f64-5717-4562-b3fc-2c963f66afa6'],
  };
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
