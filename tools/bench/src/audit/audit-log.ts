import {
  type EncodedRecord,
  LogWriter,
  nodeDisk,
  parseVerifierKey,
  textAroundSeq,
  verifyFolder,
} from '@caregate/audit-log';
import { median, type Row, type Section } from '../measure.ts';
import { startService, workFolder } from '../service.ts';

/** What is promised for the start is for 10,000,000 (7 GB, some minutes). */
const records = Number(process.env['AUDIT_LOG_RECORDS'] ?? 1_000_000);
/** A log that stays, and is filled only with what it lacks, so that the large one is filled once for several runs. */
const keptFolder = process.env['AUDIT_LOG_DATA'];
/** About as many as share a group under load. */
const group = 50;
const starts = 5;
const promised = 300_000;

export const auditLog: Section = {
  name: 'audit-log',
  title: `An audit log of ${records.toLocaleString('en')} records: verified from its first, and a service started on it`,
  async run() {
    const [long, empty] = [workFolder(), workFolder()];
    const filled = keptFolder ?? long.path;
    const verifierKey = fill(filled);
    const rows = [await verification(filled, verifierKey)];
    rows.push(await start(filled, empty.path));
    long.remove();
    empty.remove();
    return rows;
  },
};

/** Fills the log in groups, without a sync: nothing is promised to anybody while it is being filled. */
function fill(dataDir: string): string {
  const disk = {
    ...nodeDisk,
    open: (path: string) => unsynced(nodeDisk.open(path)),
    create: (path: string) => unsynced(nodeDisk.create(path)),
  };
  const log = new LogWriter({ disk, dataDir, host: 'bench', serverId: 'bench' });
  const { logId, verifierKey } = log.identity;
  for (let done = log.size; done < records; done += group) {
    const count = Math.min(group, records - done);
    log.append(Array.from({ length: count }, (_, at) => record(logId, done + at)));
  }
  log.checkpoint();
  log.close();
  return verifierKey;
}

function unsynced<File extends { sync(): void }>(file: File): File {
  file.sync = () => undefined;
  return file;
}

/** A clinician looked up a person, each time another one. */
function record(logId: string, n: number): EncodedRecord {
  const id = (kind: string): string =>
    `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const recordedAtUs = 1_790_000_000_000_000 + n * 1000;
  const { head, tail } = textAroundSeq(
    {
      teamId: id('c'),
      actorType: 'key',
      actorId: 'AbCdEf012345',
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
      requestId: id('a'),
      clientIp: '192.0.2.7',
      deviceId: null,
      policyVersion: '1',
      patients: [id('b')],
    },
    { logId, serverId: 'bench', recordedAtUs },
  );
  return { head: Buffer.from(head), tail: Buffer.from(tail), recordedAtUs };
}

async function verification(folder: string, verifierKey: string): Promise<Row> {
  const began = performance.now();
  const { size } = await verifyFolder(nodeDisk, folder, { key: parseVerifierKey(verifierKey) });
  const seconds = (performance.now() - began) / 1000;
  if (size < records) {
    throw new Error(`${size} records were verified of ${records}`);
  }
  return {
    what: 'records verified a second',
    unit: '/s',
    measured: size / seconds,
    bound: `at least ${promised.toLocaleString('en')}`,
    kept: size / seconds >= promised,
  };
}

async function start(long: string, empty: string): Promise<Row> {
  const times = { long: [] as number[], empty: [] as number[] };
  for (let round = -1; round < starts; round += 1) {
    for (const [kind, folder] of [
      ['long', long],
      ['empty', empty],
    ] as const) {
      const running = await startService(['serve', '--data', folder]);
      await running.stop();
      if (round >= 0) {
        times[kind].push(running.readyAfterMs);
      }
    }
  }
  const measured = median(times.long);
  const baseline = median(times.empty);
  return {
    what: 'caregate serve to ready (baseline: an empty log)',
    unit: 'ms',
    measured,
    baseline,
    ratio: measured / baseline,
    bound: 'at most 2,000 ms',
    kept: measured <= 2000,
  };
}
