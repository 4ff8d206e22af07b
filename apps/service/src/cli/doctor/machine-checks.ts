import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../config/operator-error.ts';
import { readCertificate, type CertificateFiles } from '../../http/tls-certificate.ts';
import { hasNoInodes, spaceOf } from '../../health/disk-watch.ts';
import { examine, Warning, type Finding } from './finding.ts';

const MIB = 2 ** 20;
/** Below it records are refused sooner or later. */
const LEAST_FREE = 256 * MIB;
const LOW_FREE = 2048 * MIB;
const RENEW_WITHIN_MS = 30 * 86_400_000;

/** Finds nothing where the service has no certificate of its own. */
export async function checkCertificate(files: CertificateFiles): Promise<Finding[]> {
  if (files.tlsCert === '') {
    return [];
  }
  const renew = `Renew it, and replace ${files.tlsCert} and ${files.tlsKey}: the service takes them without a restart.`;
  return await examine('certificate', renew, () => {
    const { expires } = readCertificate(files);
    if (expires.getTime() - Date.now() < RENEW_WITHIN_MS) {
      throw new Warning(`It expires at ${expires.toISOString()}.`);
    }
    return `Valid until ${expires.toISOString()}.`;
  });
}

export async function checkFolder(folder: string): Promise<Finding[]> {
  const missing = await examine('folder', `ls -ld ${folder}; findmnt -T ${folder}`, () => {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  if (missing.length > 0) {
    return missing;
  }
  const { uid, gid, mode } = statSync(folder);
  const next = `chown -R ${uid}:${gid} ${folder}; chmod 700 ${folder}`;
  return await examine('folder', next, () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      const owner = statSync(file, { throwIfNoEntry: false })?.uid ?? uid;
      if (owner !== uid) {
        throw new OperatorError(
          `${file} belongs to user ${owner}, the folder to ${uid}: the service can't write it.`,
        );
      }
    }
    if ((mode & 0o077) !== 0) {
      throw new OperatorError(`Others may look into ${folder}.`);
    }
    return `${folder} belongs to user ${uid} alone.`;
  });
}

export async function checkDisk(folder: string): Promise<Finding[]> {
  return await examine('disk', `df -h ${folder}; df -i ${folder}`, async () => {
    if (hasNoInodes(folder)) {
      throw new OperatorError(`The disk of ${folder} takes no more files.`);
    }
    const { freeBytes } = await spaceOf(folder);
    const what = `${Math.floor(freeBytes / MIB)} MiB are free for ${folder}.`;
    if (freeBytes < LEAST_FREE) {
      throw new OperatorError(what);
    }
    if (freeBytes < LOW_FREE) {
      throw new Warning(what);
    }
    return what;
  });
}
