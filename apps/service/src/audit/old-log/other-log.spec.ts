import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { AuditLogError } from '@caregate/audit-log';
import {
  appendMany,
  bodiesIn,
  inFolder,
  openWriter,
  stoppingDisk,
} from '@caregate/audit-log/testing';
import { oldLog } from './old-log.testing.ts';
import { upgradeLog } from './upgrade-log.ts';

function segment(folder: string): string {
  return join(folder, 'audit/records/000000000000000');
}

describe('an old log that somebody put in place of one of this version', () => {
  it('is refused by its own records, which say in which form they were written', async () => {
    await inFolder((folder) => {
      oldLog(folder, { records: 40, proved: 30, bodyVersion: 2 });
      expect(() => upgradeLog(folder)).toThrow(AuditLogError);
      expect(() => upgradeLog(folder)).toThrow('Record 0 of audit.db was written by this version');
      expect(existsSync(join(folder, 'audit.db'))).toBe(true);
      return Promise.resolve();
    });
  });

  it('is refused where a cut erased those of its records, by the record of that cut', async () => {
    await inFolder((folder) => {
      oldLog(folder, { records: 40, proved: 30, erased: 29, cutAt: 29, bodyVersion: 2 });
      expect(() => upgradeLog(folder)).toThrow('Record 29 of audit.db was written by this version');
      return Promise.resolve();
    });
  });

  it('is refused where it is empty, though a checkpoint of no record is genuine', async () => {
    await inFolder((folder) => {
      oldLog(folder, { records: 0, proved: 0 });
      expect(() => upgradeLog(folder)).toThrow('covers none of its 0 records');
      return Promise.resolve();
    });
  });

  it.each<[string, (folder: string) => void]>([
    ['more records', () => undefined],
    [
      'a damaged first group',
      (folder) => {
        const bytes = readFileSync(segment(folder));
        bytes[bytes.indexOf('CGRP')] = 0;
        writeFileSync(segment(folder), bytes);
      },
    ],
    [
      'another name in its first line',
      (folder) => {
        const bytes = readFileSync(segment(folder));
        bytes.set(Buffer.from('000000000000'), 'caregate audit records 1 '.length);
        writeFileSync(segment(folder), bytes);
      },
    ],
  ])('removes no record that it has not, whatever marker is planted: %s', async (_, change) => {
    await inFolder(async (folder) => {
      await inFolder((other) => {
        // The folder of the log under attack, upgraded long ago.
        oldLog(folder, { records: 40, proved: 40 });
        cpSync(folder, other, { recursive: true });
        upgradeLog(folder);
        const log = openWriter(folder);
        appendMany(log, 30);
        log.checkpoint();
        log.close();
        rmSync(join(folder, 'audit.db.upgraded'));
        rmSync(join(folder, 'audit/log'));
        writeFileSync(join(folder, 'audit/renewing'), '');
        cpSync(join(other, 'audit.db'), join(folder, 'audit.db'));
        // Even with the key from before the upgrade.
        cpSync(join(other, 'audit-key.pem'), join(folder, 'audit-key.pem'));
        change(folder);
        const before = readFileSync(segment(folder));
        expect(() => upgradeLog(folder)).toThrow('had an audit log of this version');
        expect(readFileSync(segment(folder))).toEqual(before);
        return Promise.resolve();
      });
    });
  });

  it('does not keep an upgrade from its end that was killed at any call', async () => {
    await inFolder(async (template) => {
      oldLog(template, { records: 640, proved: 600, erased: 20 });
      // Every seventh call: of a log that is left behind with the upgrade.
      let call = 1 + (seed % 7);
      for (let isDone = false as boolean; !isDone; call += 7) {
        await inFolder((folder) => {
          cpSync(template, folder, { recursive: true });
          try {
            upgradeLog(folder, stoppingDisk(call));
            isDone = true;
          } catch (error) {
            expect(String(error)).toContain('The process was stopped');
          }
          // It is refused with the name of the command, or goes on with the log that is whole.
          const starts = (): void => {
            openWriter(folder).close();
          };
          if (existsSync(join(folder, 'audit.db'))) {
            const isWhole = existsSync(join(folder, 'audit/log')) && !isRefused(starts);
            expect(upgradeLog(folder)).toMatchObject({ records: 640, proved: 600, erased: 20 });
            expect(isWhole || !isDone).toBe(true);
          }
          starts();
          expect(bodiesIn(folder)).toHaveLength(621);
          expect(readFileSync(join(folder, 'audit.db.upgraded'))).toHaveLength(
            readFileSync(join(template, 'audit.db')).length,
          );
          const db = new DatabaseSync(join(folder, 'audit.db.upgraded'), { readOnly: true });
          expect(db.prepare('select count(*) as n from audit_event').get()).toEqual({ n: 640 });
          db.close();
          return Promise.resolve();
        });
      }
      expect(call).toBeGreaterThan(40);
    });
  });
});

function isRefused(starts: () => void): boolean {
  try {
    starts();
    return false;
  } catch (error) {
    expect((error as Error).message).toContain('caregate audit upgrade');
    return true;
  }
}
