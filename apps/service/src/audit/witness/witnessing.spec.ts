import { cosignedAt, cosignerKey, parseNote } from '@caregate/audit-log/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Policy, WitnessClient, type Cosigner, VerifierKey } from '@caregate/audit-log';
import { serveWitness } from '../../witness/witness-server.ts';
import { openCosigners } from '../../witness/witness-folder.ts';
import { witnessingState } from './witnessing-state.ts';
import { Witnessing } from './witnessing.ts';
import { keyOf, WitnessingPlace, type OpenLog } from './witnessing.testing.ts';

let place: WitnessingPlace;
beforeEach(() => {
  place = new WitnessingPlace();
});
afterEach(async () => {
  await place.remove();
});

/** A witness over a socket, of a log that was opened to have a key. */
async function witnessOf(log: OpenLog, port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const served = await serveWitness({
    dataDir: join(place.folder, 'witness'),
    name: undefined,
    logs: [keyOf(log)],
    host: '127.0.0.1',
    port,
    logger: place.logger,
  });
  let isStopped = false;
  const witness = {
    url: served.baseUrl,
    stop: async () => {
      if (!isStopped) {
        isStopped = true;
        await served.stop();
      }
    },
  };
  place.closing({ close: witness.stop });
  return witness;
}

const cosigner = (): Cosigner => openCosigners(join(place.folder, 'witness'), undefined)[0]!;
const sizeOf = (log: OpenLog, note: string): number => keyOf(log).open(note).size;

/** Opens the log once, so that it has a key, and a witness for it. */
async function witnessed(
  settings: Parameters<WitnessingPlace['openLog']>[0] = {},
): Promise<{ log: OpenLog; policy: string; witness: Awaited<ReturnType<typeof witnessOf>> }> {
  const first = await place.openLog(settings);
  const witness = await witnessOf(first);
  const policy = place.policy(cosigner(), witness.url);
  await first.close();
  return { log: await place.openLog({ ...settings, witnesses: policy }), policy, witness };
}

/** What a log's own does, by another clock or other pauses. */
function withClock(
  { audit, auditTrail: trail }: OpenLog,
  policy: string,
  options: { now?: () => number; firstPauseMs?: number },
): Witnessing {
  const prove = async (from: number, to: number): Promise<readonly Buffer[]> =>
    (await trail.consistency({ from, to })).hashes;
  const parsed = Policy.parse(readFileSync(policy));
  const client = new WitnessClient({
    policy: parsed,
    log: { key: VerifierKey.parse(audit.verifierKey), prove },
    kept: undefined,
    ...options,
  });
  const store = (): Promise<void> => Promise.resolve();
  const parts = { trail, logger: place.logger, copy: undefined, ...options };
  return new Witnessing({ ...parts, witnesses: { client, store, policy: parsed } });
}

describe.each(['a data folder', 'PostgreSQL'])('the log of %s', (engine) => {
  it('has its checkpoints cosigned as it grows, and says how far, by whom and since when', async () => {
    const databaseUrl = engine === 'PostgreSQL' ? await newDatabase() : '';
    const { log } = await witnessed({ databaseUrl });
    const stateAt = async (): Promise<ReturnType<typeof witnessingState>> => {
      const size = sizeOf(log, await log.auditTrail.checkpoint());
      return witnessingState(log.witnessing, keyOf(log), size);
    };
    const [nothing, second] = [{ cosignatures: 0, checkpoint: null }, { name: 'second' }];
    expect(await stateAt()).toMatchObject({ ...nothing, quorum_met: false, witnesses: [second] });
    for (const records of [1, 5, 60]) {
      await log.grow(records);
      await log.witnessing.tick();
      const note = log.witnessing.cosigned(await log.auditTrail.checkpoint());
      const seconds = cosignedAt(parseNote(note), cosignerKey(cosigner()));
      expect(seconds).toBeGreaterThan(0);
      expect(log.witnessing.witnessed()).toBe(note);
      expect(log.witnessing.witnessedSize).toBe(sizeOf(log, note));
      const at = new Date(1000 * Number(seconds)).toISOString();
      expect(await stateAt()).toMatchObject({
        ...{ quorum_met: true, cosignatures: 1, lag: 0, witnesses: [{ cosigned_at: at }] },
        checkpoint: { size: log.witnessing.witnessedSize, at },
      });
    }
    await log.grow(3);
    expect(await stateAt()).toMatchObject({ quorum_met: true, lag: 3 });
    expect(place.lines.filter(({ witness }) => witness === 'second')).toHaveLength(1);
  });
});

describe('a witness', () => {
  it('finds a log that was rolled back to an earlier whole state, which is an alarm, once', async () => {
    const { log, policy } = await witnessed();
    await log.grow(3);
    await log.witnessing.tick();
    await log.close();
    const putBack = place.snapshot();
    const before = await place.openLog({ witnesses: policy });
    await before.grow(20);
    await before.witnessing.tick();
    await before.close();
    putBack();

    const rolledBack = await place.openLog({ witnesses: policy });
    const witnessing = withClock(rolledBack, policy, { firstPauseMs: 0 });
    const alarms: unknown[] = [];
    witnessing.events.on('witness-conflict', (facts) => alarms.push(facts));
    await witnessing.tick();
    expect(alarms).toEqual([{ witness: 'second', records: expect.any(Number) }]);
    // Grown past it again, with other records: still the same alarm.
    await rolledBack.grow(40);
    await witnessing.tick();
    await witnessing.tick();
    const outcomes = place.lines.flatMap(({ outcome }) => (outcome === undefined ? [] : outcome));
    expect([alarms.length, outcomes]).toEqual([1, ['ahead', 'inconsistent']]);
    expect(witnessing.witnessedSize).toBe(0);
  });

  it('that is gone raises an alarm after ten minutes, once, until the policy is met again', async () => {
    const { log, policy, witness } = await witnessed();
    let clock = 0;
    const witnessing = withClock(log, policy, { now: () => clock });
    const alarms: { seconds: number }[] = [];
    witnessing.events.on('witness-quorum', (facts) => alarms.push(facts));
    const turnsUntil = async (minutes: number): Promise<void> => {
      for (; clock < minutes * 60_000; clock += 15_000) {
        await log.grow(1);
        await witnessing.tick();
      }
    };
    await turnsUntil(3);
    expect([alarms, witnessing.secondsSinceQuorum]).toEqual([[], 15]);
    const port = Number(new URL(witness.url).port);
    await witness.stop();
    await turnsUntil(12);
    expect(alarms).toEqual([]);
    await turnsUntil(23);
    expect(alarms).toEqual([{ seconds: 600 }]);
    expect(witnessing.secondsSinceQuorum).toBeGreaterThan(1000);
    await witnessOf(log, port);
    await turnsUntil(26);
    expect(witnessing.secondsSinceQuorum).toBe(15);
    const said = place.lines.map(({ msg }) => msg);
    expect(said.filter((msg) => msg === 'the witness policy is not met')).toHaveLength(1);
    expect(said.filter((msg) => msg === 'the witness policy is met again')).toHaveLength(1);
    expect(alarms).toHaveLength(1);
  });

  it('that never answers holds up neither the log nor its end', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    place.closing({
      close: async () => {
        mute.closeAllConnections();
        await new Promise((resolve) => mute.close(resolve));
      },
    });
    const { port } = mute.address() as { port: number };
    const policy = place.policy(cosigner(), `http://127.0.0.1:${String(port)}`);
    const asked = new Promise((resolve) => mute.once('request', resolve));
    const log = await place.openLog({ witnesses: policy });
    log.witnessing.start();
    await asked;
    await log.grow(10);
    expect(sizeOf(log, await log.auditTrail.checkpoint())).toBeGreaterThanOrEqual(10);
    await log.close();
  });
});

describe.each(['a data folder', 'PostgreSQL'])('the cosigned checkpoint of %s', (engine) => {
  async function cosigned(): Promise<{ note: string; kept: string; open: () => Promise<OpenLog> }> {
    const databaseUrl = engine === 'PostgreSQL' ? await newDatabase() : '';
    const { log, policy } = await witnessed({ databaseUrl });
    const kept = databaseUrl === '' ? 'audit/witnessed' : `audit-kept/${log.audit.logId}.witnessed`;
    await log.grow(4);
    await log.witnessing.tick();
    const note = log.witnessing.witnessed()!;
    await log.close();
    const open = (): Promise<OpenLog> => place.openLog({ databaseUrl, witnesses: policy });
    return { note, kept: join(place.data, kept), open };
  }

  it('is kept over a start, and no witness has to say its size again', async () => {
    const { note, kept, open } = await cosigned();
    expect(readFileSync(kept, 'utf8')).toBe(note);
    const again = await open();
    expect(again.witnessing.witnessed()).toBe(note);
    await again.grow(1);
    await again.witnessing.tick();
    expect(place.lines.filter(({ status }) => status === 409)).toHaveLength(0);
  });

  it('that was changed stops the start', async () => {
    const { note, kept, open } = await cosigned();
    writeFileSync(kept, note.replace(/^\d+$/mu, '99'));
    await expect(open()).rejects.toThrow('is not a checkpoint signed');
    rmSync(kept);
    await (await open()).close();
  });
});

describe('a policy file', () => {
  it.each([
    ['without an address', (vkey: string) => `witness w ${vkey}\nquorum w\n`, 'has no address'],
    ['without witnesses', () => 'quorum none\n', 'no witness line'],
    ['with an error', () => '\nquorum nobody\n', 'policy: line 2: no line before'],
    [
      'for another log',
      (vkey: string) =>
        `log PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\nwitness w ${vkey} http://w/\nquorum w\n`,
      'names logs, and not the one of this service. Add the line: log ',
    ],
  ])('%s stops the start, with a sentence', async (_what, text, message) => {
    const file = place.policy(cosigner(), 'http://127.0.0.1:1');
    const [, , vkey = ''] = readFileSync(file, 'utf8').split(' ');
    writeFileSync(file, text(vkey));
    await expect(place.openLog({ witnesses: file })).rejects.toThrow(message);
    await expect(place.openLog({ witnesses: '/no/such/file' })).rejects.toThrow('ENOENT');
  });
});
