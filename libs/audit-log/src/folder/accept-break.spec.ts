import { createHash, generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nodeDisk } from '../disk/node-disk.ts';
import { AuditLogError } from '../errors.ts';
import {
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
  type VerifierKey,
} from '../note/checkpoint.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, bodiesIn, encoded, march, openWriter } from '../testing/folder-log.testing.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { acceptBreak, type AcceptedBreak } from './accept-break.ts';

const reason = 'The disk of this machine was replaced on Monday.';

function accept(dataDir: string, publicKey?: VerifierKey): AcceptedBreak {
  return acceptBreak({
    disk: nodeDisk,
    dataDir,
    host: 'clinic.example',
    serverId: 'one',
    actorId: 'command line: amara',
    reason,
    now: () => march,
    ...(publicKey && { publicKey }),
  });
}

function write(folder: string, count: number): void {
  const log = openWriter(folder);
  appendMany(log, count);
  log.checkpoint();
  log.close();
}

function logFileIn(folder: string): { log_id: string; keys: { verifier_key: string }[] } {
  return JSON.parse(readFileSync(join(folder, 'audit/log'), 'utf8')) as ReturnType<
    typeof logFileIn
  >;
}

function logIdIn(folder: string): string {
  return logFileIn(folder).log_id;
}

function segment(folder: string): string {
  return join(folder, 'audit/records/000000000000000');
}

function hex(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Changes a byte of the 15th group, and takes away the checkpoint. */
function alter(folder: string): void {
  const bytes = readFileSync(segment(folder));
  let at = 0;
  for (let group = 0; group < 15; group += 1) {
    at = bytes.indexOf('CGRP', at + 1);
  }
  bytes[at + 60] = (bytes[at + 60] as number) ^ 1;
  writeFileSync(segment(folder), bytes);
  rmSync(join(folder, 'audit/checkpoint'));
}

describe('a person who accepts a break', () => {
  it.each<[string, number, (folder: string) => void]>([
    [
      'checkpoint_missing',
      300,
      (folder) => {
        rmSync(join(folder, 'audit/checkpoint'));
      },
    ],
    ['checkpoint_missing', 140, alter],
    [
      'wrong_key',
      0,
      (folder) => {
        const other = join(folder, 'other');
        nodeDisk.makeFolder(other);
        openWriter(other).close();
        writeFileSync(join(folder, 'audit-key.pem'), readFileSync(join(other, 'audit-key.pem')));
      },
    ],
    [
      'log_without_key',
      0,
      (folder) => {
        rmSync(join(folder, 'audit-key.pem'));
      },
    ],
    [
      'key_without_log',
      0,
      (folder) => {
        rmSync(join(folder, 'audit'), { recursive: true });
      },
    ],
    [
      'log_file_damaged',
      0,
      (folder) => {
        writeFileSync(join(folder, 'audit/log'), '{}\n');
      },
    ],
  ])(
    '%s: goes on with the %i records that seals prove, under a new key, on record',
    async (refusal, kept, damage) => {
      await inFolder(async (folder) => {
        write(folder, 300);
        const logId = logIdIn(folder);
        damage(folder);
        const accepted = accept(folder);
        expect(accepted).toMatchObject({ refusal, kept });
        const bodies = bodiesIn(folder);
        expect(bodies).toHaveLength(kept + 1);
        expect(bodies.at(-1)).toMatchObject({
          operation: 'acceptBreak',
          actor_id: 'command line: amara',
          reason_code: refusal,
          record_count: kept,
          details: { reason },
        });
        // What is not kept is another log: nothing of the old one can be taken for it.
        expect(logIdIn(folder) === logId).toBe(kept > 0);
        const log = openWriter(folder);
        log.append([encoded(log)]);
        log.checkpoint();
        log.close();
        const key = parseVerifierKey(accepted.publicKey);
        expect((await verifyFolder(nodeDisk, folder, { key })).size).toBe(kept + 2);
        expect(readdirSync(join(folder, 'audit/held'))).toHaveLength(1);
      });
    },
  );

  it('says what was lost: the newest signed size, the last seal, the old key, what was set aside', async () => {
    await inFolder((folder) => {
      write(folder, 300);
      const checkpoint = readFileSync(join(folder, 'audit/checkpoint'), 'utf8');
      const key = logFileIn(folder).keys[0]?.verifier_key;
      alter(folder);
      writeFileSync(join(folder, 'audit/witnessed'), checkpoint);
      const { kept, total, heldIn } = accept(folder);
      expect({ kept, total }).toEqual({ kept: 140, total: 300 });
      const [, , root = ''] = checkpoint.split('\n');
      const lines = ['log', 'records/000000000000000', 'witnessed'].map(
        (name) => `${hex(readFileSync(join(heldIn, name)))}  ${name}\n`,
      );
      expect(bodiesIn(folder).at(-1)?.details).toEqual({
        reason,
        held: heldIn.slice(-14),
        held_sha256: hex(lines.join('')),
        old_public_key: key,
        sizes_signed_by: key,
        old_size: 300,
        checkpoint_size: 300,
        checkpoint_root: root,
        sealed_size: 300,
        sealed_root: root,
        proved_with: 'audit-key.pem',
      });
    });
  });

  it.each<[number, 'kept' | 'other' | undefined]>([
    [300, 'kept'],
    [0, 'other'],
    [0, undefined],
  ])('without the key keeps %i records by the public key: %s', async (count, given) => {
    await inFolder((folder) => {
      write(folder, 300);
      const named = parseVerifierKey(logFileIn(folder).keys[0]?.verifier_key ?? '');
      const other = verifierKey(named.name, generateKeyPairSync('ed25519').publicKey);
      rmSync(join(folder, 'audit-key.pem'));
      const accepted = accept(folder, given && { kept: named, other }[given]);
      expect(accepted).toMatchObject({ kept: count, total: 300 });
      const details = bodiesIn(folder).at(-1)?.details;
      expect(details).toMatchObject({
        old_public_key: formatVerifierKey(given === 'other' ? other : named),
        sizes_signed_by: formatVerifierKey(named),
        checkpoint_size: 300,
        proved_with: count === 0 ? 'nothing' : 'public key given',
      });
      openWriter(folder).close();
    });
  });

  it('keeps nothing that only an earlier key sealed: whoever writes the folder names earlier keys', async () => {
    await inFolder((folder) => {
      write(folder, 300);
      alter(folder);
      accept(folder);
      expect(bodiesIn(folder)).toHaveLength(141);
      const bytes = readFileSync(segment(folder));
      // The record under the newest key is the last group.
      writeFileSync(segment(folder), bytes.subarray(0, bytes.lastIndexOf('CGRP')));
      expect(accept(folder)).toMatchObject({ kept: 0, total: 141 });
      openWriter(folder).close();
      expect(bodiesIn(folder)).toHaveLength(1);
    });
  });

  it('goes on where not even the first group is whole', async () => {
    await inFolder((folder) => {
      write(folder, 30);
      const bytes = readFileSync(segment(folder));
      bytes[100] = (bytes[100] as number) ^ 1;
      writeFileSync(segment(folder), bytes);
      rmSync(join(folder, 'audit/checkpoint'));
      expect(accept(folder)).toMatchObject({ kept: 0, total: 30 });
      openWriter(folder).close();
    });
  });

  it('has nothing to accept of a log that is as it was left', async () => {
    await inFolder((folder) => {
      write(folder, 3);
      expect(() => accept(folder)).toThrow(AuditLogError);
    });
  });

  it('is interrupted, and the same command again proves all of it once more', async () => {
    await inFolder((folder) => {
      write(folder, 300);
      alter(folder);
      const { heldIn } = accept(folder);
      // As if it had been killed before the new key stood in its place.
      writeFileSync(join(folder, 'audit/renewing'), heldIn.slice(-14));
      writeFileSync(join(folder, 'audit-key.pem'), readFileSync(join(heldIn, 'audit-key.pem')));
      expect(() => openWriter(folder)).toThrow('accept-break was interrupted');
      expect(accept(folder)).toMatchObject({ kept: 140 });
      openWriter(folder).close();
      expect(bodiesIn(folder)).toHaveLength(142 - 1);
    });
  });

  it('takes from a planted marker and a planted `held/break-*` no more than an earlier state of the log', async () => {
    await inFolder(async (folder) => {
      write(folder, 30);
      const name = 'break-0a1b2c3d';
      const heldIn = join(folder, 'audit/held', name);
      for (const part of ['log', 'checkpoint', 'records']) {
        cpSync(join(folder, 'audit', part), join(heldIn, part), { recursive: true });
      }
      const log = openWriter(folder);
      appendMany(log, 20);
      const outside = log.checkpoint();
      const { verifierKey } = log.identity;
      log.close();
      writeFileSync(join(folder, 'audit/renewing'), name);
      // Log and key belong together: the marker is one of a renewal that ended.
      openWriter(folder).close();
      expect(bodiesIn(folder)).toHaveLength(50);
      // A person who repeats the command gets the earlier state, as by any copy of it, and the later records are kept.
      writeFileSync(join(folder, 'audit/renewing'), name);
      expect(() => accept(folder)).toThrow(AuditLogError);
      openWriter(folder).close();
      expect(bodiesIn(folder)).toHaveLength(30);
      expect(readdirSync(heldIn).filter((part) => part.startsWith('records-'))).toHaveLength(1);
      const key = parseVerifierKey(verifierKey);
      await expect(verifyFolder(nodeDisk, folder, { key, outside })).rejects.toThrow('truncated');
    });
  });

  it('keeps nothing of a planted `held/break-*` that another key signed', async () => {
    await inFolder(async (folder) => {
      write(folder, 30);
      alter(folder);
      await inFolder((other) => {
        write(other, 5);
        for (const part of ['log', 'checkpoint', 'records']) {
          const to = join(folder, 'audit/held/break-0a1b2c3d', part);
          cpSync(join(other, 'audit', part), to, { recursive: true });
        }
      });
      writeFileSync(join(folder, 'audit/renewing'), 'break-0a1b2c3d');
      expect(accept(folder)).toMatchObject({ kept: 0 });
      openWriter(folder).close();
      expect(bodiesIn(folder)[0]).toMatchObject({ operation: 'acceptBreak' });
    });
  });
});
