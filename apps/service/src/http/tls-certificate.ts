import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import type { ServiceConfig } from '../config/service-config.ts';

/** PEM files of a certificate (its chain included) and its private key. */
export type CertificateFiles = Pick<ServiceConfig, 'tlsCert' | 'tlsKey'>;

/** What is served, and until when. */
export interface Certificate {
  /** The whole chain. */
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  readonly expires: Date;
}

/** Renewals are rare: a look at two files every other second is enough, and works where file events do not (shares). */
const LOOK_EVERY_MS = 2000;

/**
 * Reads certificate and key.
 *
 * @throws OperatorError naming the file that is missing, no PEM, expired or not yet valid, a key of another certificate, or a
 * chain that is cut short within a certificate (one that ends between two of them cannot be told from a shorter chain)
 */
export function readCertificate(files: CertificateFiles, now = Date.now()): Certificate {
  const cert = contentOf(files.tlsCert, 'certificate');
  const key = contentOf(files.tlsKey, 'private key');
  const certificate = parsed(files.tlsCert, 'certificate', () => new X509Certificate(cert));
  const privateKey = parsed(files.tlsKey, 'unencrypted private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw refused(`The private key in ${files.tlsKey} is not that of ${files.tlsCert}.`);
  }
  const [from, expires] = [certificate.validFromDate, certificate.validToDate];
  if (now < from.getTime()) {
    throw refused(`The certificate in ${files.tlsCert} is not valid before ${from.toISOString()}.`);
  }
  if (now >= expires.getTime()) {
    throw refused(`The certificate in ${files.tlsCert} expired at ${expires.toISOString()}.`);
  }
  const read = { cert, key, minVersion: 'TLSv1.2', expires } as const;
  try {
    // The rest of the chain, which was not looked at yet.
    createSecureContext(read);
  } catch (error) {
    throw unusable(files, error);
  }
  return read;
}

/**
 * Takes a renewed certificate for connections from then on; those that are open stay as they are. A pair of files that is
 * not complete or not valid is told, and the previous one stays until the next change.
 *
 * @param served what the server has; the files may have changed since it was read
 * @returns stops watching
 */
export function watchCertificate(
  server: Pick<Server, 'setSecureContext'>,
  { files, served }: { readonly files: CertificateFiles; readonly served: Certificate },
  told: {
    readonly renewed: (expires: Date) => void;
    readonly refused: (message: string) => void;
  },
): () => void {
  let current = served;
  const look = (): void => {
    try {
      const found = readCertificate(files);
      if (found.cert.equals(current.cert) && found.key.equals(current.key)) {
        return;
      }
      const { expires, ...context } = found;
      server.setSecureContext(context);
      current = found;
      told.renewed(expires);
    } catch (error) {
      // Whatever it is: thrown from here it would end the process.
      told.refused((error instanceof OperatorError ? error : unusable(files, error)).message);
    }
  };
  const paths = [files.tlsCert, files.tlsKey];
  for (const path of paths) {
    watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, look);
  }
  // Watching compares with what it found first, which may be newer than what is served.
  const first = setTimeout(look, LOOK_EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    for (const path of paths) {
      unwatchFile(path, look);
    }
  };
}

function contentOf(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw refused(`The ${what} ${path} cannot be read (${errorCode(error)}).`, error);
  }
}

function parsed<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw refused(`${path} has no ${what} in PEM form.`, error);
  }
}

function unusable({ tlsCert }: CertificateFiles, cause: unknown): OperatorError {
  return refused(
    `The certificate chain in ${tlsCert} cannot be used (${errorCode(cause)}).`,
    cause,
  );
}

function refused(message: string, cause?: unknown): OperatorError {
  return new OperatorError(message, 2, cause);
}
