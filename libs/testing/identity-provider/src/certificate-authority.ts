import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 24 * 60 * 60 * 1000;

export interface Certificates {
  /** PEM, of the authority that signed the server's. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** `sha256/<base64>` of the server's certificate, as Chromium writes it. */
  readonly fingerprint: string;
}

/** An authority made anew, and what it signed for this computer alone; the authority's key is not kept. */
export async function makeCertificates(): Promise<Certificates> {
  const [notBefore, notAfter] = [new Date(Date.now() - day), new Date(Date.now() + 30 * day)];
  const [caKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const ca = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Caregate identity provider for tests',
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    keys: caKeys,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  const server = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=localhost',
    issuer: ca.subject,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    ],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const digest = createHash('sha256').update(Buffer.from(server.rawData)).digest('base64');
  return {
    ca: ca.toString('pem'),
    cert: server.toString('pem'),
    key: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    fingerprint: `sha256/${digest}`,
  };
}

// Without a type of its own: Node's and the browser's, which the desktop's tests are checked with, have different ones.
async function makeKeys() {
  return await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}
