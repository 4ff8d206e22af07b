import { VerifierKey } from '@caregate/audit-log';
import { sampleTeamId } from '@caregate/sample-data';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { testService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { CheckpointCopy } from './checkpoint-copy.ts';
import { CopiedLogPlace, readPublicKey, type OpenLog } from './copied-log.testing.ts';

let place: CopiedLogPlace;
let share: string;
beforeEach(() => {
  place = new CopiedLogPlace();
  share = join(place.folder, 'share');
  mkdirSync(share);
});
afterEach(async () => {
  await place.remove();
});

const open = (): Promise<OpenLog> => place.openLog({ checkpointCopy: share });
const copyOf = ({ audit }: OpenLog): string => join(share, `${audit.logId}.checkpoint`);
const readSize = (log: OpenLog): number =>
  readPublicKey(log).open(readFileSync(copyOf(log), 'utf8')).size;

/** Opens a log, and copies its newest checkpoint. */
async function copied(records: number): Promise<OpenLog> {
  const log = await open();
  await log.grow(records);
  await log.close();
  return log;
}

describe('the copy of checkpoints', () => {
  it('is the newest one and complete, without temporary files', async () => {
    const log = await open();
    for (const records of [1, 4]) {
      await log.grow(records);
      await log.copy.copyNow();
      const note = await log.auditTrail.getCheckpoint();
      await until(() => existsSync(copyOf(log)) && readFileSync(copyOf(log), 'utf8') === note);
    }
    await log.grow(3);
    const last = await log.auditTrail.getCheckpoint();
    await log.close();
    expect(readFileSync(copyOf(log), 'utf8')).toBe(last);
    const { logId } = log.audit;
    expect(readdirSync(share)).toEqual([`${logId}.checkpoint`, `${logId}.folder`]);
    await (await open()).close();
  });

  it('prevents the start with a log that was rolled back to an earlier state', async () => {
    const log = await copied(3);
    const putBack = place.snapshot();
    await copied(5);
    const size = readSize(log);
    putBack();
    const refusal = `The checkpoint copy ${copyOf(log)} does not fit the audit log, which was rolled back`;
    await expect(open()).rejects.toThrow(refusal);
    await expect(open()).rejects.toThrow(`signed ${String(size)}`);
    // The operator removes the copy if the change was intended.
    rmSync(copyOf(log));
    await (await open()).close();
  });

  it('prevents the start with a log that has grown again with other records', async () => {
    const log = await copied(3);
    const putBack = place.snapshot();
    await copied(5);
    const newer = readFileSync(copyOf(log), 'utf8');
    putBack();
    rmSync(copyOf(log));
    await copied(30);
    writeFileSync(copyOf(log), newer);
    await expect(open()).rejects.toThrow('does not fit the audit log');
  });

  it('prevents the start, and a new log, if the log and its files were deleted', async () => {
    const log = await copied(3);
    rmSync(place.data, { recursive: true });
    const refusal = `The checkpoint copy ${copyOf(log)} is of another audit log of this data folder, with 4 records`;
    await expect(open()).rejects.toThrow(refusal);
    expect(existsSync(join(place.data, 'audit.db'))).toBe(false);
    // The operator removes the copy if the change was intended.
    rmSync(copyOf(log));
    const another = await copied(1);
    expect(another.audit.logId).not.toBe(log.audit.logId);
  });

  it('of other services and machines is ignored', async () => {
    const log = await copied(3);
    renameSync(place.data, `${place.data}-2`);
    // First another folder of this machine, then the same path on another machine.
    writeFileSync(copyOf(log).replace('.checkpoint', '.folder'), `${hostname()} /srv/other\n`);
    const elsewhere = join(share, '0123456789ab');
    writeFileSync(`${elsewhere}.checkpoint`, readFileSync(copyOf(log)));
    writeFileSync(`${elsewhere}.folder`, `elsewhere ${place.data}\n`);
    await (await open()).close();
    expect(place.lines).toEqual([]);
  });

  it('prevents the start if it is damaged', async () => {
    const log = await copied(3);
    writeFileSync(copyOf(log), readFileSync(copyOf(log), 'utf8').replace(/^\d+$/mu, '99'));
    await expect(open()).rejects.toThrow('does not fit the audit log');
  });

  it('logs one warning if it cannot be written', async () => {
    rmSync(share, { recursive: true });
    const log = await open();
    for (let turn = 0; turn < 3; turn += 1) {
      await log.grow(1);
      await log.copy.copyNow();
      await until(() => log.copy.isFailing === true);
    }
    mkdirSync(share);
    await log.grow(1);
    await log.copy.copyNow();
    await until(() => log.copy.isFailing === false);
    await log.close();
    expect(place.lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the checkpoint of the audit log cannot be copied; it will be tried again'],
      [30, 'checkpoints are copied again'],
    ]);
    expect(readSize(log)).toBeGreaterThanOrEqual(4);
  });
});

it('the log output has the newest checkpoint if the log has grown, and at shutdown', async () => {
  const service = await testService([]);
  const key = await service.key(sampleTeamId, 'auditor');
  const publicKey = VerifierKey.parse((await service.get('/audit/key', key)).body);
  const sizes = (): number[] =>
    service.log.flatMap((line) => {
      const { checkpoint } = JSON.parse(line) as { readonly checkpoint?: string };
      return checkpoint === undefined ? [] : [publicKey.open(checkpoint).size];
    });
  const copy = service.app.get(CheckpointCopy, { strict: false });
  copy.startLogging();
  await copy.writeToLog();
  await copy.writeToLog();
  expect(sizes()).toHaveLength(1);
  await service.get('/v2/user', await service.key(sampleTeamId));
  await service.close();
  const [first = 0, last = 0, ...more] = sizes();
  expect(last).toBeGreaterThan(first);
  expect(more).toEqual([]);
});
