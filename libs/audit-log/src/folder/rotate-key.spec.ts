import { afterEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ProcessStopped, SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { keepSigningKeyIn } from '../note/audit-key.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, inFolder, parsed } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter, withReader, writeSigned } from '../testing/folder-log.testing.ts';
import { textsOf } from '../verify/history.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import { LogReader } from './log-reader.ts';
import type { LogWriter } from './log-writer.ts';

const dataDir = '/data';
const keyFile = `${dataDir}/audit-key.pem`;
const by = 'command line: amara';

function diskWithLog(seed: number): { disk: SimulatedDisk; first: string; kept: string } {
  const disk = new SimulatedDisk({ seed });
  disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  const log = openWriter(dataDir, { disk });
  appendMany(log, 30);
  const kept = log.checkpoint();
  log.close();
  return { disk, first: log.verifierKey, kept };
}

function rotate(log: LogWriter): string {
  log.rotateKey(log.nextKey(), by);
  return log.verifierKey;
}

describe('a signing key that is replaced', () => {
  it('is named in the log by the old one: whoever knows one of the keys follows to the others', async () => {
    const { disk, first, kept } = diskWithLog(1);
    const log = openWriter(dataDir, { disk });
    appendMany(log, 10);
    const keys = [first, rotate(log), rotate(log)];
    appendMany(log, 10);
    keys.push(rotate(log));
    const middle = log.checkpoint();
    appendMany(log, 300);
    const last = log.checkpoint();
    log.close();
    expect(new Set(keys).size).toBe(4);
    for (const text of keys) {
      const key = VerifierKey.parse(text);
      for (const outside of [kept, middle, last]) {
        const report = await verifyFolderOn(disk, dataDir, { key, outside });
        expect(report.size).toBe(353);
      }
      expect(key.open(last)).toMatchObject({ size: 353 });
    }
    expect(() => VerifierKey.parse(keys[1] ?? '').open(kept)).toThrow('not signed by this key');
    const [change] = textsOf(disk, log.identity.logId).slice(40);
    expect(parsed(change ?? '')).toMatchObject({
      operation: 'rotateAuditKey',
      actor_id: by,
      details: { old_public_key: first, public_key: keys[1] },
    });
    expect([...disk.files().keys()].filter((path) => path.includes('.pem'))).toEqual([keyFile]);
  });

  it.each(['kill', 'power cut'] as const)(
    'is whole after a %s at any call: one key signs, and both verify',
    async (end) => {
      let call = 1;
      let turned = 0;
      for (; ; call += 1) {
        const { disk, first, kept } = diskWithLog(call);
        const log = openWriter(dataDir, { disk });
        disk.stopAt = disk.calls + call;
        try {
          rotate(log);
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(ProcessStopped);
        }
        disk.restart(end);
        const again = openWriter(dataDir, { disk });
        appendMany(again, 10);
        again.checkpoint();
        again.close();
        const { verifierKey } = again;
        turned += verifierKey === first ? 0 : 1;
        const keys = [...disk.files().keys()].filter((path) => /\.pem(?:\.next)?$/u.test(path));
        expect({ call, keys }).toEqual({ call, keys: [keyFile] });
        for (const key of [first, verifierKey].map((text) => VerifierKey.parse(text))) {
          const report = await verifyFolderOn(disk, dataDir, { key, outside: kept });
          expect(report.size).toBe(verifierKey === first ? 40 : 41);
        }
        openWriter(dataDir, { disk }).close();
      }
      expect([call > 15, turned > 5, turned < call - 5]).toEqual([true, true, true]);
    },
  );

  it('signs nothing any more where it is put back', () => {
    const { disk, kept } = diskWithLog(1);
    const old = disk.files().get(keyFile);
    const log = openWriter(dataDir, { disk });
    const next = rotate(log);
    log.close();
    const there = disk.files();
    disk.plant(keyFile, old);
    expect(() => openWriter(dataDir, { disk })).toThrow('is not the key of this audit log');
    disk.plant(keyFile, there.get(keyFile));
    expect(disk.files()).toEqual(there);
    openWriter(dataDir, { disk }).close();
    const reader = new LogReader(disk, dataDir);
    expect(reader.keys().current.text).toBe(next);
    disk.plant(`${dataDir}/audit/checkpoint`, Buffer.from(kept));
    expect(reader.keys().current.text).toBe(next);
    reader.close();
  });

  it('is not taken where the log has no records, and nothing is changed', () => {
    const disk = new SimulatedDisk({ seed: 1 });
    disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
    const log = openWriter(dataDir, { disk });
    const there = disk.files();
    expect(() => log.nextKey()).toThrow('has no records yet');
    expect(disk.files()).toEqual(there);
    log.close();
  });
});

describe('outside the data folder', () => {
  afterEach(() => {
    keepSigningKeyIn(undefined);
  });

  const write = (file: string, key: KeyObject, mode = 0o600): void => {
    writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }), { mode });
  };
  const { privateKey } = generateKeyPairSync('ed25519');

  async function withKeyElsewhere(
    use: (folder: string, file: string) => void | Promise<void>,
  ): Promise<void> {
    await inFolder(async (folder) => {
      await inFolder(async (elsewhere) => {
        const file = join(elsewhere, 'key.pem');
        writeSigned(folder, 20);
        renameSync(join(folder, 'audit-key.pem'), file);
        keepSigningKeyIn(file);
        await use(folder, file);
      });
    });
  }

  it('the operator puts the next one beside it, and in its place: a start takes either', async () => {
    await withKeyElsewhere(async (folder, file) => {
      write(`${file}.next`, privateKey, 0o440);
      openWriter(folder).close();
      const log = openWriter(folder);
      const next = rotate(log);
      log.close();
      openWriter(folder).close();
      withReader(folder, (reader) => {
        reader.requireOwnKey();
      });
      renameSync(`${file}.next`, file);
      const again = openWriter(folder);
      expect(again.verifierKey).toBe(next);
      again.close();
      const key = VerifierKey.parse(next);
      expect(VerifierKey.of(key.name, privateKey).text).toBe(next);
      expect((await verifyFolderOn(nodeDisk, folder, { key })).size).toBe(21);
      expect(existsSync(join(folder, 'audit-key.pem'))).toBe(false);
    });
  });

  it.each<[string, (file: string) => void, string]>([
    ['that is missing', () => undefined, 'put the new one into'],
    [
      'that others can read',
      (file) => {
        write(`${file}.next`, privateKey, 0o604);
      },
      'can be read by others',
    ],
    [
      'of another kind',
      (file) => {
        write(`${file}.next`, generateKeyPairSync('x25519').privateKey);
      },
      'holds no Ed25519 key',
    ],
    [
      'that is the same again',
      (file) => {
        copyFileSync(file, `${file}.next`);
      },
      'holds a key that signed this log before',
    ],
  ])('a next one %s is refused, and nothing is changed', async (_, put, message) => {
    await withKeyElsewhere((folder, file) => {
      put(file);
      const log = openWriter(folder);
      const records = join(folder, 'audit', 'records');
      const there = readdirSync(records).map((name) => readFileSync(join(records, name)));
      expect(() => log.nextKey()).toThrow(message);
      expect(readdirSync(records).map((name) => readFileSync(join(records, name)))).toEqual(there);
      log.append([auditEntry()]);
      log.close();
      openWriter(folder).close();
    });
  });
});
