import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { ProcessStopped, SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { parseVerifierKey } from '../note/checkpoint.ts';
import { march, openWriter, encoded } from '../testing/folder-log.testing.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { textsOf } from '../verify/history.testing.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { acceptBreak, type AcceptedBreak } from './accept-break.ts';
import { LogRefusedError } from './log-refused.ts';

const dataDir = '/data';
const count = 270;

interface Damage {
  /** Records that can be kept. */
  readonly kept: number;
  readonly act: (disk: SimulatedDisk) => void;
}

function bytesAt(disk: SimulatedDisk, path: string): Buffer {
  return Buffer.from(disk.files().get(path) ?? '');
}

const segment = `${dataDir}/audit/records/000000000000000`;

const damages: Readonly<Record<string, Damage>> = {
  'a missing checkpoint': {
    kept: count,
    act: (disk) => {
      disk.plant(`${dataDir}/audit/checkpoint`, undefined);
    },
  },
  'a record that was changed': {
    kept: 130,
    act: (disk) => {
      const bytes = bytesAt(disk, segment);
      let at = 0;
      for (let group = 0; group < 14; group += 1) {
        at = bytes.indexOf('CGRP', at + 1);
      }
      bytes[at + 60] = (bytes[at + 60] as number) ^ 1;
      disk.plant(segment, bytes);
      disk.plant(`${dataDir}/audit/checkpoint`, undefined);
    },
  },
  'a missing key': {
    kept: 0,
    act: (disk) => {
      disk.plant(`${dataDir}/audit-key.pem`, undefined);
    },
  },
  'a missing file log': {
    kept: 0,
    act: (disk) => {
      disk.plant(`${dataDir}/audit/log`, undefined);
    },
  },
};

/** The files of a log of 27 groups and a full tile. */
const whole = (() => {
  const disk = new SimulatedDisk({ seed: 1 });
  disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  const log = openWriter(dataDir, { disk });
  for (let left = count; left > 0; left -= 10) {
    log.append(Array.from({ length: 10 }, () => encoded(log, auditEntry())));
  }
  log.checkpoint();
  log.close();
  return disk.files();
})();

/** That log, and then the damage. */
function damaged(seed: number, { act }: Damage): SimulatedDisk {
  const disk = new SimulatedDisk({ seed });
  for (const [path, bytes] of whole) {
    disk.plant(path, bytes);
  }
  act(disk);
  return disk;
}

function accept(disk: SimulatedDisk): AcceptedBreak {
  return acceptBreak({
    disk,
    dataDir,
    host: 'clinic.example',
    serverId: 'one',
    actorId: 'command line: amara',
    reason: 'The disk of this machine was replaced on Monday.',
    now: () => march,
  });
}

/** Runs the command, stopped at this call; whether it was. */
function isStopped(disk: SimulatedDisk, call: number): boolean {
  disk.stopAt = disk.calls + call;
  try {
    accept(disk);
    return false;
  } catch (error) {
    if (!(error instanceof ProcessStopped)) {
      throw error;
    }
    return true;
  }
}

/** A start either goes on, or says that the command is to be run again, which then ends it. */
function goOn(disk: SimulatedDisk): void {
  try {
    openWriter(dataDir, { disk }).close();
  } catch (error) {
    expect(error).toBeInstanceOf(LogRefusedError);
    expect((error as Error).message).toContain('caregate audit accept-break');
    accept(disk);
    openWriter(dataDir, { disk }).close();
  }
}

/** Tests the command stopped at each call of the disk, each third one, …; from which on, the seed chooses. */
export function isEndedByTheSameCommand(each: number): void {
  describe('a break that is accepted by a process that is stopped', () => {
    it.each(
      Object.entries(damages).flatMap(([name, damage]) =>
        (['kill', 'power cut'] as const).map((end) => [end, name, damage] as const),
      ),
    )(
      '%s at any call, %s: the same command ends it, and nothing that was there is lost',
      async (end, _, damage) => {
        let call = 1 + (seed % each);
        for (; ; call += each) {
          const disk = damaged(call, damage);
          const there = [...disk.files()].filter(([path]) => !path.endsWith('/service.toml'));
          if (!isStopped(disk, call)) {
            break;
          }
          disk.restart(end);
          goOn(disk);
          const files = [...disk.files().values()];
          for (const [path, bytes] of there) {
            const isTile = path.includes('/tile/');
            expect({ path, isThere: isTile || files.some((one) => one.equals(bytes)) }).toEqual({
              path,
              isThere: true,
            });
          }
          const identity = JSON.parse(String(disk.files().get(`${dataDir}/audit/log`))) as {
            readonly log_id: string;
            readonly keys: readonly { readonly verifier_key: string }[];
          };
          const texts = textsOf(disk, identity.log_id);
          expect(texts).toHaveLength(damage.kept + 1);
          expect(texts.at(-1)).toContain('"operation":"acceptBreak"');
          const key = parseVerifierKey(identity.keys.at(-1)?.verifier_key ?? '');
          expect((await verifyFolder(disk, dataDir, { key })).size).toBe(damage.kept + 1);
        }
        expect(call).toBeGreaterThan(20);
      },
    );
  });
}
