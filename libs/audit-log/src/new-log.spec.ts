import { describe, expect, it } from '@jest/globals';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LogPlace } from './log-place.ts';
import { getLogFile, getLogIdFile } from './log-place.ts';
import { startNewLog } from './new-log.ts';
import { auditText, inFolder, members } from './testing/audit-text.testing.ts';
import {
  appendTo,
  engines,
  inPlace,
  openLog,
  readBodies,
  readOperations,
  tamper,
  verifyPlace,
  withReader,
  type Tables,
} from './testing/log-place.testing.ts';

const begin = (place: LogPlace) =>
  startNewLog(place, {
    members,
    host: 'clinic.example',
    actorId: 'amara',
    reason: 'a disk failed',
  });
const breakLog = (place: LogPlace) =>
  tamper(place, ({ rows }) => rows('update audit_record set body = ? where seq = 1', '{}'));

describe.each(engines)('a log on %s', (engine) => {
  it('is archived where it is broken, and the next one names it', async () => {
    await inPlace(engine, async (place) => {
      await expect(begin(place)).rejects.toMatchObject({ name: 'NoAuditLogError' });
      const { publicKey } = await appendTo(place);
      await expect(begin(place)).rejects.toThrow('is intact');
      const before = readFileSync(getLogIdFile(place.dataDir), 'utf8').trim();
      await breakLog(place);
      const log = await begin(place);
      expect(log.publicKey).not.toBe(publicKey);
      const [first] = await readBodies(place);
      expect(first).toMatchObject({
        ...{ operation: 'newAuditLog', actor_id: 'amara', reason_code: 'altered' },
        details: { archived: before, reason: 'a disk failed' },
      });
      expect(await verifyPlace(place)).toMatchObject({ logId: log.logId, archived: [before] });
      expect(readdirSync(log.archive)).toContain('audit-key.pem');
      await appendTo(place);
      // The previous log is readable in its archive.
      if (engine === 'SQLite') {
        await expect(verifyPlace({ dataDir: log.archive })).rejects.toMatchObject({
          breach: 'altered',
        });
      }
      await breakLog(place);
      const again = await begin(place);
      expect((await verifyPlace(place)).archived).toEqual([before, log.logId]);
      expect(again.logId).not.toBe(log.logId);
    });
  });

  it('is refused by starts until an interrupted change is run again', async () => {
    await inPlace(engine, async (place) => {
      await appendTo(place);
      const id = readFileSync(getLogIdFile(place.dataDir));
      await breakLog(place);
      await begin(place);
      // Restores the state before the new log was named.
      writeFileSync(getLogIdFile(place.dataDir), id);
      await expect(openLog(place)).rejects.toMatchObject({ name: 'LogRefusedError' });
      await begin(place);
      await appendTo(place);
      await verifyPlace(place);
      // Restores the state after only the files were moved.
      const aside =
        engine === 'SQLite' ? getLogFile(place.dataDir) : join(place.dataDir, 'audit-key.pem');
      renameSync(aside, join(place.dataDir, 'aside'));
      await expect(openLog(place)).rejects.toMatchObject({ name: 'LogRefusedError' });
      await begin(place);
      expect(await readOperations(place)).toEqual([]);
      await appendTo(place);
      await verifyPlace(place);
    });
  });
});

it('archives the records of the write-ahead log, too', async () => {
  await inFolder(async (folder) => {
    const [dataDir, running] = [join(folder, 'killed'), join(folder, 'running')];
    mkdirSync(running);
    await appendTo({ dataDir: running });
    // SQLite keeps the write-ahead log while a reader has the database open.
    const db = new DatabaseSync(getLogFile(running), { timeout: 30_000 });
    db.exec('begin');
    db.prepare('select count(*) from audit_record').get();
    await appendTo({ dataDir: running });
    cpSync(running, dataDir, { recursive: true });
    db.close();
    const wal = readFileSync(`${getLogFile(dataDir)}-wal`);
    expect(wal.length).toBeGreaterThan(0);
    rmSync(join(dataDir, 'audit-key.pem'));
    const { archive } = await begin({ dataDir });
    expect(await readOperations({ dataDir: archive })).toEqual(['resolveUser', 'resolveUser']);
    // Simulates an interruption after the database was moved.
    rmSync(getLogFile(dataDir));
    writeFileSync(`${getLogFile(dataDir)}-wal`, wal);
    await expect(openLog({ dataDir })).rejects.toMatchObject({ kind: 'no_log' });
    const { archive: second } = await begin({ dataDir });
    expect(readFileSync(join(second, 'audit.db-wal'))).toEqual(wal);
    expect(await readOperations({ dataDir })).toEqual([]);
    await verifyPlace({ dataDir });
  });
});

describe('logs that see each other', () => {
  const withTwo = (use: (one: LogPlace, other: LogPlace) => Promise<void>): Promise<void> =>
    inPlace('PostgreSQL', (one) =>
      inFolder(async (dataDir) => {
        const other = { ...one, dataDir };
        await appendTo(other, [auditText(), auditText()]);
        await appendTo(one);
        await use(one, other);
      }),
    );
  const requireOther = (one: LogPlace, other: LogPlace): Promise<void> =>
    withReader(one, (reader) =>
      withReader(other, async (otherReader) => {
        const { seen } = await reader.verify();
        await reader.requireSeen(seen, [(await otherReader.verify()).tree]);
      }),
    );
  const cut = async (id: string, { rows }: Tables): Promise<void> => {
    for (const table of ['audit_record', 'audit_head', 'audit_log']) {
      await rows(`delete from ${table} where log_id = ?`, id);
    }
  };

  it('name the newest head of each other, once for each that is new', async () => {
    await withTwo(async (one, other) => {
      const { logId, seen, size } = await verifyPlace(one);
      expect(seen).toMatchObject([{ size: 3 }]);
      await requireOther(one, other);
      await appendTo(other);
      expect((await verifyPlace(other)).seen).toMatchObject([{ logId, size }]);
      await requireOther(one, other);
      await requireOther(other, one);
    });
  });

  it('miss one that was deleted, or that lost what they have seen', async () => {
    await withTwo(async (one, other) => {
      const { logId } = await verifyPlace(other);
      await tamper(one, (tables) => cut(logId, tables));
      await withReader(one, async (reader) => {
        const { seen } = await reader.verify();
        await expect(reader.requireSeen(seen, [])).rejects.toMatchObject({ breach: 'truncated' });
      });
      // Puts another log in its place, first a shorter one, then one of equal length.
      rmSync(getLogIdFile(other.dataDir));
      await appendTo(other, []);
      const { logId: next } = await verifyPlace(other);
      const { seen } = await verifyPlace(one);
      const moved = seen.map((log) => ({ ...log, logId: next }));
      await withReader(other, async (reader) => {
        const { tree } = await reader.verify();
        const extended = { breach: tree.head.size < 3 ? 'truncated' : 'forked' };
        await expect(reader.requireSeen(moved, [tree])).rejects.toMatchObject(extended);
      });
    });
  });
});
