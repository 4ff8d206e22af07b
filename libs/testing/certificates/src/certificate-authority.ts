import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

type KeyPair = Awaited<ReturnType<typeof newKeys>>;

export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export class CertificateAuthority {
  /** The authority's own certificate as PEM, for clients that are to trust it. */
  readonly pem: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: KeyPair;

  private constructor(certificate: x509.X509Certificate, keys: KeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
    this.pem = toPem(certificate);
  }

  static async create(name = 'Caregate test authority'): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: serialNumber(),
      name: `CN=${name}`,
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + 30 * dayMs),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new CertificateAuthority(certificate, keys);
  }

  /** @param wanted `names` are host names and IP addresses. By default, `from` is a day ago and `until` in 29 days. */
  async issue(wanted: {
    readonly names: readonly string[];
    readonly from?: Date;
    readonly until?: Date;
  }): Promise<Issued> {
    const { names, from, until } = wanted;
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: `CN=${names[0] ?? 'nobody'}`,
      issuer: this.#certificate.subject,
      notBefore: from ?? new Date(Date.now() - dayMs),
      notAfter: until ?? new Date(Date.now() + 29 * dayMs),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value): x509.JsonGeneralName => ({
            type: isIP(value) === 0 ? 'dns' : 'ip',
            value,
          })),
        ),
      ],
    });
    const key = x509.PemConverter.encode(
      await crypto.subtle.exportKey('pkcs8', keys.privateKey),
      'PRIVATE KEY',
    );
    return { cert: toPem(certificate), key };
  }
}

/**
 * The return type is inferred, since it is that of Node or of browsers, depending on the project that imports this
 * file.
 */
function newKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** Ends the last line, so that certificates can be joined to a chain. */
function toPem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

/** Begins with 01, since serial numbers must be positive DER integers. */
function serialNumber(): string {
  return `01${randomBytes(15).toString('hex')}`;
}
