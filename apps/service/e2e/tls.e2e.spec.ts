import { expect, it } from '@jest/globals';
import { CertificateAuthority } from '@caregate/certificates';
import { X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { newFolder, start } from './caregate.testing.ts';

const names = ['127.0.0.1'];
const handshakes = new WeakMap<object, string | undefined>();

/** Returns the status, and the serial number of the certificate that the connection was opened with. */
function ask(
  url: string,
  options: RequestOptions,
): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    let serial: string | undefined;
    const request = get(`${url}/healthz`, { agent: false, ...options }, (response) => {
      response.resume().on('end', () => {
        resolve([response.statusCode, serial]);
      });
    });
    request.on('error', reject).on('socket', (socket) => {
      serial = handshakes.get(socket);
      socket.once('secureConnect', () => {
        serial = (socket as TLSSocket).getPeerX509Certificate()?.serialNumber;
        handshakes.set(socket, serial);
      });
    });
  });
}

function connects(url: string, options: ConnectionOptions): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...options });
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

it('caregate serve answers over HTTPS alone, from TLS 1.2 on, and takes a renewed certificate while it runs', async () => {
  const authority = await CertificateAuthority.create();
  const ca = authority.pem;
  const folder = newFolder();
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const write = (kind: 'cert' | 'key', text: string): void => {
    writeFileSync(`${files[kind]}.new`, text);
    renameSync(`${files[kind]}.new`, files[kind]);
  };
  const [issued, renewed] = [await authority.issue({ names }), await authority.issue({ names })];
  const [before, after] = [issued, renewed].map(
    ({ cert }) => new X509Certificate(cert).serialNumber,
  );
  write('cert', issued.cert);
  write('key', issued.key);
  const flags = ['--tls-cert', files.cert, '--tls-key', files.key];
  const service = await start(['serve', '--data', join(folder, 'data'), ...flags], folder);
  try {
    const { base_url: url } = service.ready;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
    await expect(ask(url, {})).rejects.toThrow(/unable to (get|verify)/u);
    await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow();
    for (const [options, isTaken] of [
      [{ minVersion: 'TLSv1.3' }, true],
      [{ maxVersion: 'TLSv1.2' }, true],
      [{ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }, false],
    ] as const) {
      expect([options, await connects(url, { ca, ...options })]).toEqual([options, isTaken]);
    }
    // A resumed session would send no certificate.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 });
    const seen = async (): Promise<unknown[]> => [
      await ask(url, { ca }),
      await ask(url, { ca, agent }),
    ];
    const held = [200, before];
    expect(await seen()).toEqual([held, held]);
    // Tools replace the two files one after the other. In between, key and certificate don't match.
    write('key', renewed.key);
    while (!service.stdout().includes('is not that of')) await sleep(20);
    expect(await seen()).toEqual([held, held]);
    write('cert', renewed.cert);
    while (!service.stdout().includes('certificate renewed')) await sleep(20);
    expect(await seen()).toEqual([[200, after], held]);
    agent.destroy();
  } finally {
    await service.end();
  }
});
