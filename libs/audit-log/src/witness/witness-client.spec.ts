import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { cosign, cosignedAt } from '../note/cosignature.ts';
import { cosignerKey, formatCosignerKey } from '../note/cosigner-key.ts';
import { formatSignatures, parseNote } from '../note/signed-note.ts';
import { GrownLog, newCosigner, policyOf } from './grown-log.testing.ts';
import { Policy } from './policy.ts';
import { Witness } from './witness.ts';
import { WitnessClient } from './witness-client.ts';
import { WitnessStore } from './witness.ts';

const cosigner = newCosigner();
const key = cosignerKey(cosigner);
const log = new GrownLog(GrownLog.leaves(40));
const servers: Server[] = [];
afterEach(() => {
  servers.splice(0).forEach((server) => {
    server.close();
    server.closeAllConnections();
  });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A witness behind a socket; each request goes to what `current` gives then, and nowhere if that is nothing. */
function serveWitness(current: () => Witness | undefined): Promise<string> {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const answer = current()?.addCheckpoint(Buffer.concat(chunks));
        if (answer === undefined) {
          response.destroy();
        } else {
          response.writeHead(answer.status, { 'content-type': answer.contentType });
          response.end(answer.body);
        }
      });
  });
}

function newWitness(of = log, by = cosigner): Witness {
  const store = new WitnessStore(new SimulatedDisk({ seed: 1 }), '/witness');
  return new Witness({ logs: [of.key], cosigners: [by], store, now: () => 1_700_000_000 });
}

function clientOf(
  policy: Policy,
  more: Partial<ConstructorParameters<typeof WitnessClient>[0]> = {},
): WitnessClient {
  return new WitnessClient({ policy, log, kept: undefined, ...more });
}

const kinds = (round: Awaited<ReturnType<WitnessClient['ask']>>): string[] =>
  round.reports.map(({ kind }) => kind);

describe('a client of witnesses', () => {
  it('has each new checkpoint cosigned, with proofs, and asks for none twice', async () => {
    const witness = newWitness();
    const client = clientOf(policyOf(cosigner, await serveWitness(() => witness)));
    expect(client.kept()).toBeUndefined();
    for (const size of [1, 6, 40]) {
      const round = await client.ask(log.note(size));
      expect(round).toMatchObject({ isMet: true, reports: [{ kind: 'cosigned', witness: 'w1' }] });
      expect(cosignedAt(parseNote(round.note), key)).toBe(1_700_000_000);
      expect(client.kept()).toBe(round.note);
      expect(client.cosigned(log.note(size))).toBe(round.note);
      expect(client.cosigned(log.note(2))).toBe(log.note(2));
      const again = await client.ask(log.note(size));
      expect(again).toEqual({ note: round.note, isMet: true, reports: [] });
    }
  });

  it('takes the size from a witness that cosigned another, before a start or behind its back', async () => {
    const witness = newWitness();
    const policy = policyOf(cosigner, await serveWitness(() => witness));
    const before = clientOf(policy);
    await before.ask(log.note(6));
    expect(await clientOf(policy).ask(log.note(9))).toMatchObject({
      isMet: true,
      reports: [{ kind: 'cosigned', theirSize: 6 }],
    });
    // What was kept says the size at once: no answer 409 is needed.
    const kept = await clientOf(policy).ask(log.note(9));
    const after = await clientOf(policy, { kept: kept.note }).ask(log.note(12));
    expect(after.reports[0]).not.toHaveProperty('theirSize');
    expect(await before.ask(log.note(15))).toMatchObject({ isMet: true });
  });

  it('takes no kept checkpoint of another log, nor one that was changed', () => {
    const policy = policyOf(cosigner, 'http://127.0.0.1:1');
    const other = new GrownLog(['a']);
    const changed = log.note(5).replace('\n5\n', '\n6\n');
    for (const kept of [other.note(), changed, '', 'x']) {
      expect(clientOf(policy, { kept }).kept()).toBeUndefined();
    }
    expect(clientOf(policy, { kept: log.note(5) }).kept()).toBe(log.note(5));
  });

  it('finds a log that was rolled back to an earlier whole state', async () => {
    const witness = newWitness();
    const policy = policyOf(cosigner, await serveWitness(() => witness));
    const { note: kept } = await clientOf(policy).ask(log.note(20));
    for (const client of [clientOf(policy), clientOf(policy, { kept })]) {
      expect(await client.ask(log.note(12))).toMatchObject({
        isMet: false,
        reports: [{ kind: 'ahead', theirSize: 20, message: expect.stringContaining('20 records') }],
      });
    }
    // And where it has grown past that again, with other records.
    const regrown = new GrownLog(GrownLog.leaves(30, 'x', 12), log);
    const client = new WitnessClient({ policy, log: regrown, kept: undefined });
    expect(kinds(await client.ask(regrown.note()))).toEqual(['inconsistent']);
  });

  it('says so where a witness was rolled back, and has it follow again', async () => {
    let witness = newWitness();
    const client = clientOf(policyOf(cosigner, await serveWitness(() => witness)));
    await client.ask(log.note(20));
    witness = newWitness();
    const { reports, isMet } = await client.ask(log.note(21));
    expect(reports).toMatchObject([{ kind: 'cosigned', forgot: 20, theirSize: 0, isNew: true }]);
    expect(isMet).toBe(true);
  });

  it('keeps no cosignature that does not verify', async () => {
    const thief = newCosigner();
    const text = (size: number): string => parseNote(log.note(size)).text;
    const wrong = [
      formatSignatures([cosign(text(6), thief, 1)]),
      formatSignatures([{ ...cosign(text(6), thief, 1), id: key.id }]),
      formatSignatures([cosign(text(5), cosigner, 1)]),
      formatSignatures([cosign(text(6), cosigner, 1), { ...key, bytes: Buffer.alloc(72) }]),
      formatSignatures([cosign(text(6), cosigner, 0)]),
      '',
      '<html>',
    ];
    for (const body of wrong) {
      const client = clientOf(policyOf(cosigner, await serve((_, response) => response.end(body))));
      const round = await client.ask(log.note(6));
      expect([kinds(round), round.isMet, round.note]).toEqual([
        ['bad-signature'],
        false,
        log.note(6),
      ]);
      expect(client.kept()).toBeUndefined();
    }
    const right = `${wrong[0]!}${formatSignatures([cosign(text(6), cosigner, 9)])}`;
    const url = await serve((_, response) => response.end(right));
    expect(kinds(await clientOf(policyOf(cosigner, url)).ask(log.note(6)))).toEqual(['cosigned']);
  });

  it.each([
    ['404', 'unknown-log', 'It does not know this log'],
    ['403', 'unknown-log', 'another key'],
    ['422', 'inconsistent', 'the log was changed'],
    ['500', 'unavailable', 'status 500'],
    ['302', 'unavailable', 'No answer'],
    ['409 without a size', 'unavailable', 'which size'],
    ['409 again and again', 'unavailable', 'which size'],
    ['an endless body', 'unavailable', 'too long'],
    ['an answer that breaks off', 'unavailable', 'No answer'],
    ['no connection', 'unavailable', 'ECONNREFUSED'],
    ['no answer', 'unavailable', 'No answer within 50 ms'],
    ['half an answer', 'unavailable', 'No answer within 50 ms'],
  ])('tells what %s means', async (what, kind, message) => {
    const url = await serve((_, response) => {
      switch (what) {
        case 'no answer':
          return;
        case 'half an answer':
          response.writeHead(200).write('— w');
          return;
        case 'an endless body':
          response.writeHead(200);
          for (let part = 0; part < 100; part += 1) {
            response.write('x'.repeat(1000));
          }
          return;
        case 'an answer that breaks off':
          response.writeHead(200, { 'content-length': 100 }).write('— w');
          setImmediate(() => response.destroy());
          return;
        case '409 again and again':
          response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('3\n');
          return;
        case '409 without a size':
          response.writeHead(409, { 'content-type': 'text/html' }).end('3\n');
          return;
        default:
          response.writeHead(Number(what), { location: '/elsewhere' }).end('x');
      }
    });
    const isSlow = what.startsWith('no answer') || what === 'half an answer';
    if (what === 'no connection') {
      const [server] = servers.splice(0);
      server?.close();
      await once(server as Server, 'close');
    }
    const policy = policyOf(cosigner, url);
    const client = clientOf(policy, isSlow ? { deadlineMs: 50 } : {});
    expect(await client.ask(log.note(6))).toMatchObject({
      isMet: false,
      reports: [{ kind, message: expect.stringContaining(message), isNew: true }],
    });
  });

  it('leaves a witness that is gone alone for longer and longer, and comes back to it', async () => {
    let witness: Witness | undefined;
    let asked = 0;
    const url = await serveWitness(() => {
      asked += 1;
      return witness;
    });
    let clock = 0;
    const pauses = { firstPauseMs: 5, longestPauseMs: 20, now: () => clock };
    const client = clientOf(policyOf(cosigner, url), pauses);
    const askedAt: number[] = [];
    const askUntil = async (end: number): Promise<void> => {
      for (; clock < end; clock += 1) {
        const before = asked;
        await client.ask(log.note(6 + Math.floor(clock / 50)));
        if (asked > before) {
          askedAt.push(clock);
        }
      }
    };
    await askUntil(100);
    expect(askedAt.splice(0)).toEqual([0, 5, 15, 35, 55, 75, 95]);
    witness = newWitness();
    await askUntil(120);
    expect(askedAt.splice(0)).toEqual([115]);
    expect(cosignedAt(parseNote(client.kept() ?? ''), key)).toBe(1_700_000_000);
    // Once it has answered, the pauses begin anew.
    witness = undefined;
    await askUntil(170);
    expect(askedAt).toEqual([150, 155, 165]);
  });

  it('needs the quorum of its policy on one checkpoint', async () => {
    let gone = ['c'];
    const lines = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const own = newCosigner(`${name}.example`);
        const witness = newWitness(log, own);
        const url = await serveWitness(() => (gone.includes(name) ? undefined : witness));
        return `witness ${name} ${formatCosignerKey(cosignerKey(own))} ${url}`;
      }),
    );
    const policy = Policy.parse(Buffer.from([...lines, 'group g 2 a b c', 'quorum g'].join('\n')));
    let clock = 0;
    const client = clientOf(policy, { now: () => clock });
    const first = await client.ask(log.note(3));
    expect([first.isMet, kinds(first)]).toEqual([true, ['cosigned', 'cosigned', 'unavailable']]);
    gone = ['b', 'c'];
    clock += 1_000_000;
    const second = await client.ask(log.note(4));
    expect([second.isMet, kinds(second)]).toEqual([
      false,
      ['cosigned', 'unavailable', 'unavailable'],
    ]);
    // The newest that has its quorum stays.
    expect(client.kept()).toBe(first.note);
    gone = [];
    clock += 1_000_000;
    const third = await client.ask(log.note(4));
    expect([third.isMet, kinds(third)]).toEqual([true, ['cosigned', 'cosigned']]);
    expect(client.kept()).toBe(third.note);
  });
});
