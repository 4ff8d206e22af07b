import { describe, expect, it } from '@jest/globals';
import { forgetfulProxy } from '@caregate/postgres';
import { copyFileSync, readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Appender } from './appender.ts';
import type { LogPlace } from './log-place.ts';
import { VerifierKey } from './checkpoint.ts';
import { openAppender } from './open-appender.ts';
import { rotateKey } from './audit-log.ts';
import { SigningKey } from './signing-key.ts';
import { auditText, members } from './testing/audit-text.testing.ts';
import {
  appendTo,
  engines,
  inPlace,
  openLog,
  readBodies,
  verifyPlace,
} from './testing/log-place.testing.ts';

const rotate = (place: LogPlace) => rotateKey(place, 'amara', { members });
const keyFile = ({ dataDir }: LogPlace): string => join(dataDir, 'audit-key.pem');
const nextFiles = ({ dataDir }: LogPlace): string[] =>
  readdirSync(dataDir).filter((name) => name.includes('.next-'));

describe.each(engines)('the signing key of a log on %s', (engine) => {
  it('is replaced while a writer goes on, and each of them opens the log', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      const first = log.publicKey;
      await log.record(auditText());
      const savedCheckpoint = await log.checkpoint();
      let rotations = 0;
      let recorded = 1;
      const load = async (): Promise<void> => {
        while (rotations < 3) {
          await Promise.all(Array.from({ length: 20 }, () => log.record(auditText())));
          recorded += 20;
        }
      };
      const keys = [first];
      const turn = async (): Promise<void> => {
        for (; rotations < 3; rotations += 1) {
          keys.push((await rotate(place)).publicKey);
          // The writer reads each new key from its file, which the next rotation replaces.
          await log.checkpoint();
        }
      };
      await Promise.all([load(), turn()]);
      const newest = await log.checkpoint();
      expect(log.publicKey).toBe(keys.at(-1));
      await log.close();
      for (const key of keys) {
        const options = { keys: [VerifierKey.parse(key)], checkpoints: [savedCheckpoint, newest] };
        expect(await verifyPlace(place, options)).toMatchObject({
          publicKeys: keys,
          checkpoints: 2,
        });
      }
      const operations = (await readBodies(place)).map((body) => body['operation']);
      expect(operations.filter((one) => one === 'resolveUser')).toHaveLength(recorded);
      expect(operations.filter((one) => one === 'rotateAuditKey')).toHaveLength(3);
      expect(nextFiles(place)).toEqual([]);
    });
  });

  it('is replaced by one of two commands at once, or by both in turn', async () => {
    await inPlace(engine, async (place) => {
      await appendTo(place);
      const results = await Promise.allSettled([rotate(place), rotate(place)]);
      const done = results.filter(({ status }) => status === 'fulfilled');
      expect(done.length).toBeGreaterThan(0);
      const { publicKeys } = await verifyPlace(place);
      expect(publicKeys).toHaveLength(1 + done.length);
      expect((await appendTo(place)).publicKey).toBe(publicKeys.at(-1));
      expect(nextFiles(place)).toEqual([]);
    });
  });

  it('stays where the change was interrupted before its commit', async () => {
    await inPlace(engine, async (place) => {
      const { publicKey } = await appendTo(place);
      new SigningKey(place.dataDir).prepareNext(VerifierKey.parse(publicKey));
      expect((await appendTo(place)).publicKey).toBe(publicKey);
      const { publicKey: next } = await rotate(place);
      expect((await verifyPlace(place)).publicKeys).toEqual([publicKey, next]);
      // Another process might still commit the change.
      const [file = ''] = nextFiles(place);
      const anHourAgo = Date.now() / 1000 - 3601;
      utimesSync(join(place.dataDir, file), anHourAgo, anHourAgo);
      expect((await appendTo(place)).publicKey).toBe(next);
      expect(nextFiles(place)).toEqual([]);
    });
  });

  it('is put in its place by a start where the change was interrupted behind its commit', async () => {
    await inPlace(engine, async (place) => {
      const { publicKey } = await appendTo(place);
      const old = `${keyFile(place)}.old`;
      copyFileSync(keyFile(place), old);
      const { publicKey: next } = await rotate(place);
      // Restores the state before the rename.
      renameSync(keyFile(place), `${keyFile(place)}.next-01234567`);
      copyFileSync(old, keyFile(place));
      expect((await verifyPlace(place)).publicKeys).toEqual([publicKey, next]);
      expect((await appendTo(place)).publicKey).toBe(next);
      expect(nextFiles(place)).toEqual([]);
      // The old key can no longer sign.
      copyFileSync(old, keyFile(place));
      await expect(openLog(place)).rejects.toMatchObject({ kind: 'wrong_key' });
      await expect(rotate(place)).rejects.toMatchObject({ kind: 'wrong_key' });
    });
  });

  it('stays where the storage refuses the change', async () => {
    await inPlace(engine, async (place) => {
      const { publicKey } = await appendTo(place);
      const before = readFileSync(keyFile(place));
      const { appender, storage } = await openAppender(place, { members });
      const commit = storage.commit.bind(storage);
      storage.commit = () => Promise.reject(new Error('no'));
      await expect(appender.rotateKey('amara')).rejects.toThrow('no');
      storage.commit = commit;
      expect(readFileSync(keyFile(place))).toEqual(before);
      expect(nextFiles(place)).toEqual([]);
      await appender.rotateKey('amara');
      await storage.close();
      expect((await verifyPlace(place)).publicKeys).toHaveLength(2);
      expect(appender).toBeInstanceOf(Appender);
      expect(appender.publicKey).not.toBe(publicKey);
    });
  });
});

it('is replaced where the answer to the commit is lost on PostgreSQL', async () => {
  await inPlace('PostgreSQL', async (own) => {
    const { publicKey } = await appendTo(own);
    const network = await forgetfulProxy(own.postgres?.url ?? '');
    const forgot = network.forgetAnswerTo('audit commit more');
    const [rotated] = await Promise.all([
      rotate({ ...own, postgres: { url: network.url } }),
      forgot,
    ]);
    await network.close();
    expect((await verifyPlace(own)).publicKeys).toEqual([publicKey, rotated.publicKey]);
    expect(nextFiles(own)).toEqual([]);
    expect((await appendTo(own)).publicKey).toBe(rotated.publicKey);
  });
});
