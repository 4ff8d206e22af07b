import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ProcessStopped, SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { AuditLogError } from '../errors.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter } from '../testing/folder-log.testing.ts';
import { textsOf } from '../verify/history.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import { acceptBreak, acceptBreakOn, type AcceptedBreak } from './accept-break.ts';
import { LogRefusedError } from './log-refused.ts';

const dataDir = '/data';
const segment = `${dataDir}/audit/records/000000000000000`;
const reason = 'The disk of this machine was replaced on Monday.';

/** The files of a log of 27 groups and a full block. */
const whole = (() => {
  const disk = new SimulatedDisk({ seed: 1 });
  disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  const log = openWriter(dataDir, { disk });
  appendMany(log, 270);
  log.checkpoint();
  log.close();
  return disk.files();
})();

function logFileOf(files: ReadonlyMap<string, Buffer>): { log_id: string; verifier_key: string } {
  return JSON.parse(String(files.get(`${dataDir}/audit/log`))) as ReturnType<typeof logFileOf>;
}

const { verifier_key: oldKey, log_id: oldLog } = logFileOf(whole);
const oldRoot = String(whole.get(`${dataDir}/audit/checkpoint`)).split('\n')[2];
const newest = { checkpoint_size: 270, checkpoint_root: oldRoot };
const sealed = { sealed_size: 270, sealed_root: oldRoot };
const byOwnKey = { old_public_key: oldKey, proved_with: 'audit-key.pem' };
const byLogFile = { old_public_key: oldKey, proved_with: 'audit/log' };

/** That log, without these files, and with these. */
function damaged(files: Readonly<Record<string, Buffer | undefined>>, of = 1): SimulatedDisk {
  const disk = new SimulatedDisk({ seed: of });
  for (const [path, bytes] of whole) {
    disk.plant(path, bytes);
  }
  for (const [name, bytes] of Object.entries(files)) {
    disk.plant(`${dataDir}/${name}`, bytes);
  }
  return disk;
}

/** The segment with a byte of its 15th group changed. */
function altered(): Buffer {
  const bytes = Buffer.from(whole.get(segment) ?? '');
  let at = 0;
  for (let group = 0; group < 14; group += 1) {
    at = bytes.indexOf('CGRP', at + 1);
  }
  bytes[at + 60] = (bytes[at + 60] as number) ^ 1;
  return bytes;
}

function accept(disk: SimulatedDisk, publicKey?: VerifierKey): AcceptedBreak {
  return acceptBreakOn({
    disk,
    dataDir,
    host: 'clinic.example',
    actorId: 'command line: amara',
    reason,
    ...(publicKey && { publicKey }),
  });
}

/** The new log, verified: its only record. */
async function onlyRecord(disk: SimulatedDisk): Promise<Record<string, unknown>> {
  const { log_id: logId, verifier_key: key } = logFileOf(disk.files());
  expect(logId).not.toBe(oldLog);
  expect((await verifyFolderOn(disk, dataDir, { key: VerifierKey.parse(key) })).size).toBe(1);
  return JSON.parse(textsOf(disk, logId)[0] ?? '') as Record<string, unknown>;
}

/** Whatever was there is somewhere. */
function expectNothingLost(disk: SimulatedDisk, there: ReadonlyMap<string, Buffer>): void {
  const files = [...disk.files().values()];
  for (const [path, bytes] of there) {
    expect({ path, isThere: files.some((one) => one.equals(bytes)) }).toEqual({
      path,
      isThere: true,
    });
  }
}

const other = VerifierKey.of(
  VerifierKey.parse(oldKey).name,
  generateKeyPairSync('ed25519').publicKey,
);
const withoutKey = { 'audit-key.pem': undefined };

describe('a person who accepts a break', () => {
  it.each<[refusal: string, Record<string, Buffer | undefined>, VerifierKey | undefined, object]>([
    [
      'checkpoint_missing',
      { 'audit/checkpoint': undefined },
      undefined,
      { ...byOwnKey, ...sealed },
    ],
    [
      'checkpoint_missing',
      { 'audit/checkpoint': undefined, 'audit/records/000000000000000': altered() },
      undefined,
      { ...byOwnKey, ...sealed },
    ],
    [
      'altered',
      { 'audit/records/000000000000000': whole.get(segment)?.subarray(0, 90) },
      undefined,
      { ...byOwnKey, ...newest },
    ],
    [
      'log_file_damaged',
      { 'audit/log': Buffer.from('{}\n') },
      undefined,
      { ...byOwnKey, ...newest, ...sealed },
    ],
    [
      'key_without_log',
      { 'audit/log': undefined },
      undefined,
      { ...byOwnKey, ...newest, ...sealed },
    ],
    ['log_without_key', withoutKey, undefined, { ...byLogFile, ...newest, ...sealed }],
    [
      'log_without_key',
      withoutKey,
      VerifierKey.parse(oldKey),
      { ...byOwnKey, proved_with: 'public key given', ...newest, ...sealed },
    ],
    ['log_without_key', withoutKey, other, { ...byLogFile, ...newest, ...sealed }],
    [
      'wrong_key',
      {
        'audit-key.pem': Buffer.from(
          generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
        ),
      },
      undefined,
      { ...byLogFile, ...newest, ...sealed },
    ],
    [
      'log_without_key',
      { ...withoutKey, 'audit/log': undefined, 'audit/checkpoint': undefined },
      other,
      { old_public_key: other.text, proved_with: 'public key given' },
    ],
  ])('%s: begins a log that names the old one (%#)', async (refusal, files, publicKey, details) => {
    const disk = damaged(files);
    const there = disk.files();
    const accepted = accept(disk, publicKey);
    expect(await onlyRecord(disk)).toMatchObject({
      operation: 'acceptBreak',
      actor_id: 'command line: amara',
      reason_code: refusal,
      details: { reason, held: accepted.heldIn.slice(-14), ...details },
    });
    expect(accepted.oldSize).toBe(
      'proved_with' in details && Object.keys(details).length > 2 ? 270 : 0,
    );
    expectNothingLost(disk, there);
    openWriter(dataDir, { disk }).close();
  });

  it('leaves the old log where a verification reads it', async () => {
    const disk = damaged({ 'audit/checkpoint': undefined });
    const { heldIn } = accept(disk);
    disk.plant(`${heldIn}/audit/checkpoint`, whole.get(`${dataDir}/audit/checkpoint`));
    const key = VerifierKey.parse(oldKey);
    expect((await verifyFolderOn(disk, heldIn, { key })).size).toBe(270);
  });

  it('accepts an altered record that a start does not read, and nothing where all is as it was', async () => {
    await inFolder(async (folder) => {
      const log = openWriter(folder);
      appendMany(log, 270);
      log.checkpoint();
      log.close();
      const options = { host: 'clinic.example', actorId: 'spec', reason };
      await expect(acceptBreak(folder, options)).rejects.toThrow('there is no break to accept');
      const file = join(folder, 'audit', 'records', '000000000000000');
      const bytes = readFileSync(file);
      bytes[bytes.indexOf('resolveUser')]! ^= 1;
      writeFileSync(file, bytes);
      openWriter(folder).close();
      const { heldIn } = await acceptBreak(folder, options);
      expect(readFileSync(join(heldIn, 'audit', 'records', '000000000000000'))).toEqual(bytes);
      openWriter(folder).close();
    });
  });

  it('has nothing to accept of a log that is as it was left', () => {
    const disk = damaged({});
    expect(() => accept(disk)).toThrow(AuditLogError);
    expect(disk.files()).toEqual(whole);
  });

  it.each([
    ['a planted marker', 'break-0a1b2c3d altered'],
    ['one of a later step', 'break-0a1b2c3d altered aside'],
    ['one that is nonsense', 'x'],
  ])('loses nothing by %s, and goes on with no log that was planted', async (_, marker) => {
    const disk = damaged({ 'audit/renewing': Buffer.from(marker) });
    for (const part of ['log', 'checkpoint', 'records/000000000000000']) {
      disk.plant(`${dataDir}/audit/held/break-0a1b2c3e/audit/${part}`, Buffer.from(part));
    }
    expect(() => openWriter(dataDir, { disk })).toThrow('accept-break was interrupted');
    accept(disk);
    expect(await onlyRecord(disk)).toMatchObject({ operation: 'acceptBreak' });
    expectNothingLost(disk, whole);
  });

  it.each([
    [
      'kill',
      'a record that was changed',
      { 'audit/records/000000000000000': altered(), 'audit/checkpoint': undefined },
    ],
    ['power cut', 'a missing checkpoint', { 'audit/checkpoint': undefined }],
    ['power cut', 'a missing key', withoutKey],
    ['power cut', 'a missing file log', { 'audit/log': undefined }],
  ] as const)(
    '%s at any call, %s: the same command ends it, and nothing is lost',
    async (end, _, files) => {
      let call = 1;
      for (; ; call += 1) {
        const disk = damaged(files, call);
        const there = disk.files();
        disk.stopAt = disk.calls + call;
        try {
          accept(disk);
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(ProcessStopped);
        }
        disk.restart(end);
        try {
          openWriter(dataDir, { disk }).close();
        } catch (error) {
          expect(error).toBeInstanceOf(LogRefusedError);
          expect((error as Error).message).toContain('caregate audit accept-break');
          accept(disk);
          openWriter(dataDir, { disk }).close();
        }
        expectNothingLost(disk, there);
        expect(await onlyRecord(disk)).toMatchObject({ operation: 'acceptBreak' });
      }
      expect(call).toBeGreaterThan(20);
    },
  );
});
