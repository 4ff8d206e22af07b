import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateAuthority } from '@caregate/certificates';
import { X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import { get as plainGet } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { newFolder, removeFolder, start, type Running } from './caregate.testing.ts';

const names = ['127.0.0.1'];
let authority: CertificateAuthority;
let folder: string;
let data: string;
let files: { cert: string; key: string };
let service: Running | undefined;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
});

beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const { cert, key } = await authority.issue({ names });
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  service = await serve();
});

afterEach(async () => {
  await service?.end();
  service = undefined;
  removeFolder(folder);
});

const flags = (): string[] => ['--tls-cert', files.cert, '--tls-key', files.key];

function serve(): Promise<Running> {
  return start(['serve', '--data', data, ...flags()], folder);
}

const certificates = new WeakMap<object, X509Certificate | undefined>();

/** By a connection of its own, unless an agent is given. A resumed session would have no certificate to look at. */
function ask(options: RequestOptions): Promise<{ status: number; certificate: X509Certificate }> {
  return new Promise((resolve, reject) => {
    let certificate: X509Certificate | undefined;
    const url = `${service?.ready.base_url ?? ''}/healthz`;
    const request = get(url, { agent: false, ...options }, (response) => {
      response.on('error', reject).on('end', () => {
        if (certificate === undefined) reject(new Error('no certificate'));
        else resolve({ status: response.statusCode ?? 0, certificate });
      });
      response.resume();
    });
    // Node has the certificate at the handshake alone.
    request.on('socket', (socket) => {
      certificate = certificates.get(socket);
      if (certificate !== undefined) return;
      socket.once('secureConnect', () => {
        certificate = (socket as TLSSocket).getPeerX509Certificate();
        certificates.set(socket, certificate);
      });
    });
    request.on('error', reject);
  });
}

/** Whether a connection with these options comes about. */
function connects(options: ConnectionOptions): Promise<boolean> {
  const { hostname, port } = new URL(service?.ready.base_url ?? '');
  const socket = connect({ host: hostname, port: Number(port), ca: authority.pem, ...options });
  return new Promise((resolve) => {
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

describe('caregate serve with a certificate', () => {
  it('answers over HTTPS, from TLS 1.2 on, and nothing over plain HTTP', async () => {
    expect(service?.ready.base_url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
    expect((await ask({ ca: authority.pem })).status).toBe(200);
    await expect(ask({})).rejects.toThrow(/unable to (get|verify)/u);
    expect(await connects({ minVersion: 'TLSv1.3' })).toBe(true);
    expect(await connects({ maxVersion: 'TLSv1.2' })).toBe(true);
    expect(
      await connects({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    ).toBe(false);
    const plain = (service?.ready.base_url ?? '').replace('https:', 'http:');
    const answered = new Promise((resolve, reject) => {
      plainGet(`${plain}/healthz`, resolve).on('error', reject);
    });
    await expect(answered).rejects.toThrow();
    expect((await ask({ ca: authority.pem })).status).toBe(200);
  });

  it('takes a renewed certificate under load without a failed request', async () => {
    const before = (await ask({ ca: authority.pem })).certificate.serialNumber;
    // Kept connections and new ones, all the time.
    const kept = new Agent({ keepAlive: true, maxSockets: 4, maxCachedSessions: 0 });
    const seen = new Set<string>();
    let answers = 0;
    let running = true;
    const load = Array.from({ length: 8 }, async (_, at) => {
      while (running) {
        const agent = at % 2 === 0 ? kept : false;
        const { status, certificate } = await ask({ ca: authority.pem, agent });
        expect(status).toBe(200);
        seen.add(certificate.serialNumber);
        answers += 1;
      }
    });
    const renewed = await authority.issue({ names });
    // In two steps, as tools do it: between them, key and certificate do not match.
    writeFileSync(`${files.key}.new`, renewed.key);
    renameSync(`${files.key}.new`, files.key);
    while (!(service?.stdout() ?? '').includes('is not that of')) await sleep(20);
    expect(seen).toEqual(new Set([before]));
    writeFileSync(`${files.cert}.new`, renewed.cert);
    renameSync(`${files.cert}.new`, files.cert);
    const after = new X509Certificate(renewed.cert).serialNumber;
    while (!seen.has(after)) await sleep(20);
    running = false;
    await Promise.all(load);
    kept.destroy();
    expect(seen).toEqual(new Set([before, after]));
    expect(answers).toBeGreaterThan(10);
    expect(service?.stdout()).toContain('certificate renewed');
  });
});
