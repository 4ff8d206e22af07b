import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, type Issued } from '@caregate/certificates';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type Server } from 'node:tls';
import { until } from '../testing/until.testing.ts';
import { readCertificate, watchCertificate, type Certificate } from './tls-certificate.ts';

const names = ['localhost'];
const hour = 3_600_000;
let authority: CertificateAuthority;
let one: Issued;
let folder: string;
let files: { tlsCert: string; tlsKey: string };

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  one = await authority.issue({ names });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-tls-'));
  files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write({ cert, key }: { cert?: string; key?: string }): void {
  if (cert !== undefined) writeFileSync(files.tlsCert, cert);
  if (key !== undefined) writeFileSync(files.tlsKey, key);
}

/** Returns a file that is still being written: the first certificate is complete, the second is not. */
function cutShort({ cert }: Issued): string {
  return cert + authority.pem.slice(0, authority.pem.length / 2);
}

describe('a certificate and its key', () => {
  it('are read with the chain, for TLS 1.2 and later', () => {
    const chain = one.cert + authority.pem;
    write({ cert: chain, key: one.key });
    const { cert, key, minVersion } = readCertificate(files);
    expect([cert, key]).toEqual([Buffer.from(chain), Buffer.from(one.key)]);
    expect(minVersion).toBe('TLSv1.2');
  });

  it.each([
    [
      'no certificate file',
      (): object => ({ key: one.key }),
      /certificate .*cert\.pem cannot be read \(ENOENT\)/u,
    ],
    [
      'no PEM',
      (): object => ({ cert: 'x', key: one.key }),
      /cert\.pem has no certificate in PEM form/u,
    ],
    [
      'half a key',
      (): object => ({ ...one, key: one.key.slice(0, 90) }),
      /key\.pem has no unencrypted private key/u,
    ],
    [
      'a chain cut short',
      (): object => ({ cert: cutShort(one), key: one.key }),
      /chain in .*cert\.pem cannot be used \(ERR_OSSL_PEM_BAD_END_LINE\)/u,
    ],
  ])('are refused by name: %s', (_name, given, message) => {
    write(given());
    expect(() => readCertificate(files)).toThrow(message);
  });

  it('are refused if the key is that of another certificate', async () => {
    const other = await authority.issue({ names });
    write({ cert: one.cert, key: other.key });
    expect(() => readCertificate(files)).toThrow(
      /private key in .*key\.pem is not that of .*cert\.pem/u,
    );
  });

  it('are refused before and after their time', async () => {
    const now = Date.now();
    const until = new Date(now + hour);
    const from = new Date(now - hour);
    write(await authority.issue({ names, from, until }));
    expect(() => readCertificate(files, now)).not.toThrow();
    expect(() => readCertificate(files, now - 2 * hour)).toThrow(/is not valid before 20/u);
    expect(() => readCertificate(files, now + 2 * hour)).toThrow(/expired at 20/u);
  });
});

describe('a renewed certificate', () => {
  let renewed: Issued;
  let served: Certificate;
  let server: Server;
  let reported: Set<string>;
  let unwatch: () => void;

  beforeAll(async () => {
    renewed = await authority.issue({ names });
  });
  beforeEach(async () => {
    reported = new Set();
    unwatch = () => undefined;
    write(one);
    served = readCertificate(files);
    server = createServer(served).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    unwatch();
    server.close();
    await once(server, 'close');
  });

  function watch(): void {
    unwatch = watchCertificate(
      server,
      { files, served },
      {
        onRenewed: (expires) => reported.add(`renewed until ${expires.toISOString()}`),
        onRefused: (message) => reported.add(message),
      },
    );
  }

  async function shown(): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }

  const serialOf = ({ cert }: Issued): string => new X509Certificate(cert).serialNumber;
  const renewedUntil = (): string =>
    `renewed until ${new X509Certificate(renewed.cert).validToDate.toISOString()}`;

  it('that is read half-written in its chain is refused, and taken once it is whole', async () => {
    watch();
    write({ ...renewed, cert: cutShort(renewed) });
    await until(() => reported.size > 0);
    const refusal = `The certificate chain in ${files.tlsCert} cannot be used (ERR_OSSL_PEM_BAD_END_LINE).`;
    expect([...reported]).toEqual([refusal]);
    expect(await shown()).toBe(serialOf(one));
    write(renewed);
    await until(() => reported.size > 1);
    expect([...reported]).toEqual([refusal, renewedUntil()]);
    expect(await shown()).toBe(serialOf(renewed));
  });

  it('that came after the start read the previous one, and before it watched, is taken', async () => {
    write(renewed);
    watch();
    await until(() => reported.size > 0);
    expect([...reported]).toEqual([renewedUntil()]);
    expect(await shown()).toBe(serialOf(renewed));
  });
});
