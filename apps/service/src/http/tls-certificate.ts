import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import type { ServiceConfig } from '../config/service-config.ts';

export type CertificateFiles = Pick<ServiceConfig, 'tlsCert' | 'tlsKey'>;

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  readonly expires: Date;
}

/** Polling also works on network shares, where file events don't. */
const LOOK_EVERY_MS = 2000;

/**
 * @throws OperatorError that names the file which is missing, not PEM, not valid now, truncated, or doesn't fit the
 * key
 */
export function readCertificate(files: CertificateFiles, now = Date.now()): Certificate {
  const cert = readContent(files.tlsCert, 'certificate');
  const key = readContent(files.tlsKey, 'private key');
  const certificate = parsePem(files.tlsCert, 'certificate', () => new X509Certificate(cert));
  const privateKey = parsePem(files.tlsKey, 'unencrypted private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw createCertificateError(
      `The private key in ${files.tlsKey} is not that of ${files.tlsCert}.`,
    );
  }
  const [from, expires] = [certificate.validFromDate, certificate.validToDate];
  if (now < from.getTime()) {
    throw createCertificateError(
      `The certificate in ${files.tlsCert} is not valid before ${from.toISOString()}.`,
    );
  }
  if (now >= expires.getTime()) {
    throw createCertificateError(
      `The certificate in ${files.tlsCert} expired at ${expires.toISOString()}.`,
    );
  }
  const read = { cert, key, minVersion: 'TLSv1.2', expires } as const;
  try {
    // This also parses the rest of the chain.
    createSecureContext(read);
  } catch (error) {
    throw createChainError(files, error);
  }
  return read;
}

/** Serves a renewed certificate to new connections. An invalid pair is reported, and the previous certificate stays. */
export function watchCertificate(
  server: Pick<Server, 'setSecureContext'>,
  { files, served }: { readonly files: CertificateFiles; readonly served: Certificate },
  listener: {
    readonly onRenewed: (expires: Date) => void;
    readonly onRefused: (message: string) => void;
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
      listener.onRenewed(expires);
    } catch (error) {
      // An error thrown here would end the process.
      listener.onRefused(
        (error instanceof OperatorError ? error : createChainError(files, error)).message,
      );
    }
  };
  const paths = [files.tlsCert, files.tlsKey];
  for (const path of paths) {
    watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, look);
  }
  // The first check compares with the served certificate, since the files may have changed since they were read.
  const first = setTimeout(look, LOOK_EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    for (const path of paths) {
      unwatchFile(path, look);
    }
  };
}

function readContent(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw createCertificateError(
      `The ${what} ${path} cannot be read (${getErrorCode(error)}).`,
      error,
    );
  }
}

function parsePem<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw createCertificateError(`${path} has no ${what} in PEM form.`, error);
  }
}

function createChainError({ tlsCert }: CertificateFiles, cause: unknown): OperatorError {
  return createCertificateError(
    `The certificate chain in ${tlsCert} cannot be used (${getErrorCode(cause)}).`,
    cause,
  );
}

function createCertificateError(message: string, cause?: unknown): OperatorError {
  return new OperatorError(message, 2, cause);
}
