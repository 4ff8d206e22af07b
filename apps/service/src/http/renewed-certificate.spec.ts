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

let authority: CertificateAuthority;
let one: Issued;
let renewed: Issued;
let folder: string;
let files: { tlsCert: string; tlsKey: string };
let served: Certificate;
let server: Server;
let told: Set<string>;
let unwatch: () => void;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  one = await authority.issue({ names: ['localhost'] });
  renewed = await authority.issue({ names: ['localhost'] });
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-renewed-'));
  files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  told = new Set();
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
  rmSync(folder, { recursive: true });
});

/** Both files, with the chain as far as it has been written; a look finds either none of it or all. */
function write({ cert, key }: Issued, chain = authority.pem): void {
  writeFileSync(files.tlsCert, cert + chain);
  writeFileSync(files.tlsKey, key);
}

function watch(by: Pick<Server, 'setSecureContext'> = server): void {
  unwatch = watchCertificate(
    by,
    { files, served },
    {
      renewed: (expires) => told.add(`renewed until ${expires.toISOString()}`),
      refused: (message) => told.add(message),
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

describe('a renewed certificate', () => {
  it('that is read half-written in its chain is refused, and taken once it is whole', async () => {
    watch();
    write(renewed, authority.pem.slice(0, authority.pem.length / 2));
    await until(() => told.size > 0);
    const refusal = `The certificate chain in ${files.tlsCert} cannot be used (ERR_OSSL_PEM_BAD_END_LINE).`;
    expect([...told]).toEqual([refusal]);
    expect(await shown()).toBe(serialOf(one));
    write(renewed);
    await until(() => told.size > 1);
    expect([...told]).toEqual([refusal, renewedUntil()]);
    expect(await shown()).toBe(serialOf(renewed));
  });

  it('that came after the start read the previous one, and before it watched, is taken', async () => {
    write(renewed);
    watch();
    await until(() => told.size > 0);
    expect([...told]).toEqual([renewedUntil()]);
    expect(await shown()).toBe(serialOf(renewed));
  });

  it('that the server refuses for whatever cause is tried again at the next change', async () => {
    let isTaken = false;
    watch({
      setSecureContext: (context) => {
        if (!isTaken) throw Object.assign(new Error('no'), { code: 'ERR_OTHER' });
        server.setSecureContext(context);
      },
    });
    write(renewed);
    await until(() => told.size > 0);
    const refusal = `The certificate chain in ${files.tlsCert} cannot be used (ERR_OTHER).`;
    expect([...told]).toEqual([refusal]);
    isTaken = true;
    write(renewed);
    await until(() => told.size > 1);
    expect([...told]).toEqual([refusal, renewedUntil()]);
    expect(await shown()).toBe(serialOf(renewed));
  });
});
