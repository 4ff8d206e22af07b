import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, type Issued } from '@caregate/certificates';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCertificate } from './tls-certificate.ts';

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

/** A file that is being written: the first certificate is whole, the next is not. */
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
      'no key file',
      (): object => ({ cert: one.cert }),
      /private key .*key\.pem cannot be read \(ENOENT\)/u,
    ],
    [
      'no PEM',
      (): object => ({ cert: 'x', key: one.key }),
      /cert\.pem has no certificate in PEM form/u,
    ],
    [
      'the two exchanged',
      (): object => ({ cert: one.key, key: one.cert }),
      /cert\.pem has no certificate/u,
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
