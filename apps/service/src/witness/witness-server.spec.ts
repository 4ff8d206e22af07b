import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Witness, VerifierKey } from '@caregate/audit-log';
import {
  nodeHash,
  originHash,
  parseSignatures,
  signCheckpoint,
  leafHash,
  cosignedAt,
  cosignerKey,
  parseNote,
} from '@caregate/audit-log/testing';
import { pino } from 'pino';
import { serveWitness, witnessServer } from './witness-server.ts';
import { openCosigners } from './witness-folder.ts';

const origin = 'clinic.example/audit/0123456789ab';
const { privateKey } = generateKeyPairSync('ed25519');
let folder: string;
let running: Awaited<ReturnType<typeof serveWitness>>[] = [];
let lines: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-witness-'));
});
afterEach(async () => {
  await Promise.all(running.map((witness) => witness.stop()));
  [running, lines] = [[], []];
  rmSync(folder, { recursive: true, force: true });
});

async function serve(name?: string): Promise<string> {
  const witness = await serveWitness({
    dataDir: join(folder, 'witness'),
    name,
    logs: [VerifierKey.of(origin, privateKey)],
    host: '127.0.0.1',
    port: 0,
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  });
  running.push(witness);
  return witness.baseUrl;
}

const leaf = (text: string): Buffer => leafHash(Buffer.alloc(16), Buffer.from(text));
const noteOf = (size: number, root: Buffer): string =>
  signCheckpoint({ origin, size, root }, privateKey);

/** Two leaves: the first, and whichever is named. */
const second = (text: string): { root: Buffer; note: string; proof: string } => {
  const root = nodeHash(leaf('first'), leaf(text));
  return { root, note: noteOf(2, root), proof: leaf(text).toString('base64') };
};
const first = noteOf(1, leaf('first'));

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/add-checkpoint`, { method: 'POST', body, headers });

describe('the server of a witness', () => {
  it('cosigns with all its keys, and serves the newest checkpoint', async () => {
    const url = await serve('second.example/witness');
    const answer = await post(url, `old 0\n\n${first}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    const signatures = parseSignatures(await answer.text());
    const keys = openCosigners(join(folder, 'witness'), undefined).map(cosignerKey);
    expect(keys.map(({ name, algorithm }) => [name, algorithm])).toEqual([
      ['second.example/witness', 'ed25519'],
      ['second.example/witness', 'ml-dsa-44'],
    ]);
    const { text } = parseNote(first);
    for (const key of keys) {
      expect(cosignedAt({ text, signatures }, key)).toBeGreaterThan(1_700_000_000);
    }
    const newest = await fetch(`${url}/${originHash(origin)}/checkpoint`);
    expect(await newest.text()).toContain(first);
    expect((await fetch(`${url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
    expect((await fetch(`${url}/..%2fwitness-key.pem/checkpoint`)).status).toBe(404);
    expect((await fetch(`${url}/`)).status).toBe(404);
  });

  it('answers 409 with the size, in its own content type', async () => {
    const url = await serve();
    await post(url, `old 0\n\n${first}`);
    const answer = await post(url, `old 0\n\n${second('a').note}`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      409,
      'text/x.tlog.size',
      '1\n',
    ]);
  });

  it('takes a body of any content type, or of none', async () => {
    const url = await serve();
    for (const type of ['application/json', 'application/octet-stream', 'text/plain']) {
      const answer = await post(url, `old 0\n\n${first}`, { 'content-type': type });
      expect([type, answer.status]).toEqual([type, type === 'application/json' ? 200 : 409]);
    }
    const raw = `POST /add-checkpoint HTTP/1.1\r\nhost: w\r\nconnection: close\r\ncontent-length: ${String(Buffer.byteLength(`old 1\n\n${first}`))}\r\n\r\nold 1\n\n${first}`;
    expect(await exchange(url, raw)).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it('answers hostile requests with 4xx and a sentence', async () => {
    const url = await serve();
    const bodies: [number, string][] = [
      [400, ''],
      [400, '\u0000'.repeat(1000)],
      [404, `old 0\n\n${first.replaceAll('clinic', 'other')}`],
      [413, 'x'.repeat(200_000)],
    ];
    for (const [status, body] of bodies) {
      const answer = await post(url, body);
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), status]);
      expect(await answer.text()).toMatch(/^[A-Z][^\n]+\n$/u);
    }
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(404);
    expect(await exchange(url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u);
    // Still there, and nothing of it was taken.
    expect((await post(url, `old 0\n\n${first}`)).status).toBe(200);
    expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toContain(404);
  });

  it('lets no address ask without end, and others go on', async () => {
    const logs = [VerifierKey.of(origin, privateKey)];
    const store = { read: () => first, write: () => undefined };
    const witness = new Witness({ logs, cosigners: [], store, now: () => 1 });
    const server = witnessServer(witness, pino({ level: 'silent' }));
    const ask = async (remoteAddress = '192.0.2.1'): Promise<number> =>
      (await server.inject({ url: '/', remoteAddress })).statusCode;
    const statuses = await Promise.all(Array.from({ length: 1201 }, () => ask()));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await ask('192.0.2.2')).toBe(404);
    await server.close();
  });

  it('goes on where it was after a start, by the same name', async () => {
    await post(await serve(), `old 0\n\n${first}`);
    await running.pop()?.stop();
    const url = await serve();
    expect((await post(url, `old 0\n\n${first}`)).status).toBe(409);
    await running.pop()?.stop();
    await expect(serve('another.example/w')).rejects.toThrow('cannot be changed');
  });

  it('is one of a folder', async () => {
    await serve();
    await expect(serve()).rejects.toThrow('Another process is the witness of');
  });

  it('answers 500 and cosigns nothing where its state is damaged or cannot be written', async () => {
    const url = await serve();
    await post(url, `old 0\n\n${first}`);
    const path = join(folder, 'witness', 'witness', originHash(origin));
    const state = readFileSync(path, 'utf8');
    writeFileSync(path, state.replace('1', '2'));
    const damaged = await post(url, `old 0\n\n${first}`);
    expect([damaged.status, await damaged.text()]).toEqual([
      500,
      expect.stringContaining('is damaged, or of another witness key'),
    ]);
    writeFileSync(path, state);
    // Root may write everywhere: a folder in the draft's place fails for everyone.
    mkdirSync(`${path}.new`);
    const { note, proof } = second('a');
    const unwritten = await post(url, `old 1\n${proof}\n\n${note}`);
    expect([unwritten.status, await unwritten.text()]).toEqual([
      500,
      'The witness cannot store its state: nothing was cosigned.\n',
    ]);
    rmSync(`${path}.new`, { recursive: true });
    expect((await post(url, `old 1\n${proof}\n\n${note}`)).status).toBe(200);
  });
});

describe('the folder of a witness', () => {
  it('has keys that their owner alone can read', () => {
    openCosigners(join(folder, 'w'), undefined);
    expect(statSync(join(folder, 'w', 'witness-key.pem')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'w'))).toEqual(['witness-key.pem']);
  });

  it('is refused where it is that of a service, or its key is damaged', () => {
    mkdirSync(join(folder, 'service'));
    writeFileSync(join(folder, 'service', 'audit-key.pem'), '');
    expect(() => openCosigners(join(folder, 'service'), undefined)).toThrow('on another machine');
    expect(existsSync(join(folder, 'service', 'witness-key.pem'))).toBe(false);
    openCosigners(join(folder, 'w'), undefined);
    const key = join(folder, 'w', 'witness-key.pem');
    const pem = readFileSync(key, 'utf8');
    chmodSync(key, 0o600);
    for (const wrong of [
      '',
      'witness a b\n',
      pem.replace('MC4', 'AAA'),
      pem.slice(pem.indexOf('\n')),
    ]) {
      writeFileSync(key, wrong);
      expect(() => openCosigners(join(folder, 'w'), undefined)).toThrow('witness-key.pem is');
    }
    expect(() => openCosigners(join(folder, 'x'), 'two words')).toThrow('without spaces');
  });
});

/** Sends bytes as they are, and gives all that comes back. */
function exchange(baseUrl: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket
      .on('data', (chunk: Buffer) => (answer += chunk.toString()))
      .on('close', () => {
        resolve(answer);
      })
      .on('error', reject)
      .write(bytes);
  });
}
