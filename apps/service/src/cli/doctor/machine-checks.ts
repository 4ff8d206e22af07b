import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { OperatorError } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { readCertificate, type CertificateFiles } from '../../http/tls-certificate.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const dayMs = 86_400_000;
const renewWithinMs = 30 * dayMs;
const answerWithinMs = 5000;

/** Without a certificate: none. @param owner user and group of the data folder, which the service runs as */
export function checkCertificate(
  files: CertificateFiles,
  owner: { readonly uid: number; readonly gid: number } | undefined,
  now = Date.now(),
): Finding[] {
  if (files.tlsCert === '') {
    return [];
  }
  const check = 'certificate';
  const renew = `Renew it, and replace ${files.tlsCert} and ${files.tlsKey}: the service takes them without a restart.`;
  let expires: Date;
  try {
    ({ expires } = readCertificate(files, now));
  } catch (error) {
    if (error instanceof OperatorError) {
      return [fault(check, error.message, renew)];
    }
    throw error;
  }
  const unreadable = [files.tlsCert, files.tlsKey].filter(
    (file) => owner !== undefined && !mayRead(file, owner),
  );
  const text = readFileSync(files.tlsCert, 'latin1');
  const leaf = new X509Certificate(text);
  const isAlone = text.split('-----BEGIN CERTIFICATE-----').length === 2 && !leaf.checkIssued(leaf);
  const found = [
    ...unreadable.map((file) =>
      fault(
        check,
        `${file} can't be read by user ${owner?.uid}, who owns the data folder.`,
        `chown ${owner?.uid} ${file}`,
      ),
    ),
    ...(isAlone
      ? [
          warning(
            check,
            `${files.tlsCert} has no chain: clients that don't know its issuer refuse it.`,
            `Append the certificate of its issuer: ${oneLine(leaf.issuer)}.`,
          ),
        ]
      : []),
    ...(expires.getTime() - now < renewWithinMs
      ? [warning(check, `It expires at ${expires.toISOString()}.`, renew)]
      : []),
  ];
  return found.length > 0 ? found : [ok(check, `Valid until ${expires.toISOString()}.`)];
}

function mayRead(file: string, { uid, gid }: { uid: number; gid: number }): boolean {
  const found = statSync(file);
  const bit = found.uid === uid ? 0o400 : found.gid === gid ? 0o040 : 0o004;
  return uid === 0 || (found.mode & bit) !== 0;
}

export function checkSecretFiles(files: readonly string[]): Finding[] {
  return files
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0)
    .map((file) => fault('secrets', `Others may read ${file}.`, `chmod o= ${file}`));
}

/** Where it is kept outside the data folder: there, and there alone. */
export function checkSigningKey(file: string | undefined, ownKey: string): Finding[] {
  if (file === undefined) {
    return [];
  }
  const check = 'signing key';
  if (existsSync(ownKey)) {
    const next = `cmp ${ownKey} ${file} && rm ${ownKey}`;
    return [fault(check, `It is to be in ${file} alone, and ${ownKey} is there too.`, next)];
  }
  return [
    existsSync(file)
      ? ok(check, `In ${file}, outside the data folder.`)
      : fault(check, `${file} is missing.`, 'Put it back from where it is kept.'),
  ];
}

function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

export async function checkPort(
  { host, port }: Pick<ServiceConfig, 'host' | 'port'>,
  isUsed: boolean,
): Promise<Finding> {
  const check = 'port';
  if (!(await isListening(host, port))) {
    return isUsed
      ? warning(
          check,
          `A service uses this store, and nobody listens on port ${port}.`,
          'It may be starting: journalctl -u caregate -n 20. Otherwise see CAREGATE_PORT.',
        )
      : ok(check, `Nobody listens on port ${port}: the service is stopped.`);
  }
  return isUsed
    ? ok(check, `The service listens on port ${port}.`)
    : fault(
        check,
        `What listens on port ${port} does not use this store: another program, or a service with other settings.`,
        `ss -ltnp 'sport = :${port}' names it; systemctl show caregate -p EnvironmentFiles its settings.`,
      );
}

function isListening(host: string, port: number): Promise<boolean> {
  const everywhere = ['0.0.0.0', '::', ''];
  const socket = connect(port, everywhere.includes(host) ? '127.0.0.1' : host);
  return new Promise((resolve) => {
    socket.setTimeout(answerWithinMs, () => socket.destroy(new Error('Too late')));
    socket.on('error', () => {
      resolve(false);
    });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** @param newestMs what was written last, by a clock that was right then */
export function checkClock(newestMs: number | undefined, now = Date.now()): Finding {
  const aheadMs = (newestMs ?? 0) - now;
  return aheadMs > 60_000
    ? fault(
        'clock',
        `The newest record of the log is ${Math.round(aheadMs / 60_000)} minutes ahead of this machine's clock.`,
        'timedatectl status',
      )
    : ok('clock', new Date(now).toISOString());
}

/** Whether the disk of a folder is encrypted, as far as this machine sees: the encryption of a host below it is not told. */
export async function checkEncryption(
  folder: string,
  run: (program: string, ...words: string[]) => Promise<string> = outputOf,
): Promise<Finding[]> {
  const check = 'encryption';
  try {
    const device = (await run('findmnt', '-no', 'SOURCE', '-T', folder)).trim();
    const chain = (await run('lsblk', '-nso', 'TYPE', device)).split(/\s+/u);
    const hidden =
      'No encryption of its disk is visible here. docs/encryption.md says whom one stops.';
    return [ok(check, chain.includes('crypt') ? `Its disk, ${device}, is encrypted.` : hidden)];
  } catch {
    // Not Linux, or a file system without a device of its own.
    return [];
  }
}

async function outputOf(program: string, ...words: string[]): Promise<string> {
  return (await promisify(execFile)(program, words)).stdout;
}
