import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { OperatorError } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { readCertificate, type CertificateFiles } from '../../http/tls-certificate.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const leastNode = 24;
const dayMs = 86_400_000;
const renewWithinMs = 30 * dayMs;
const answerWithinMs = 5000;

export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) < leastNode
    ? fault('node', `Node ${version} is too old.`, `Install Node ${leastNode} or later.`)
    : ok('node', `Node ${version}.`);
}

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

function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

/** Who answers where the service would listen. @param isUsed whether a service uses the store of these settings */
export async function checkPort(
  { host, port, tlsCert }: Pick<ServiceConfig, 'host' | 'port' | 'tlsCert'>,
  isUsed: boolean,
): Promise<Finding[]> {
  const answer = await healthAt({ host, port, isTls: tlsCert !== '' });
  if (answer === 'nobody') {
    return [ok('port', `Nobody listens on port ${port}: the service is stopped.`)];
  }
  if (answer === 'other') {
    return [
      fault(
        'port',
        `Another program listens on port ${port}.`,
        `ss -ltnp 'sport = :${port}' names it. Stop it, or set CAREGATE_PORT.`,
      ),
    ];
  }
  return isUsed
    ? [ok('port', `The service answers on port ${port}.`)]
    : [
        fault(
          'store',
          `The service on port ${port} uses another store than this command.`,
          'Run the doctor with the service’s own settings: systemctl show caregate -p Environment -p EnvironmentFiles',
        ),
      ];
}

function healthAt(at: {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}): Promise<'nobody' | 'other' | 'caregate'> {
  const { host, port, isTls } = at;
  const everywhere = ['0.0.0.0', '::', ''];
  return new Promise((resolve) => {
    const send = isTls ? httpsRequest : httpRequest;
    const sent = send(
      {
        ...{ host: everywhere.includes(host) ? '127.0.0.1' : host, port, path: '/healthz' },
        ...{ timeout: answerWithinMs, agent: false },
        // Only to know who answers: nothing is sent but the path.
        ...(isTls && { rejectUnauthorized: false }),
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (body += part.slice(0, 100)));
        response.on('close', () => {
          const isOurs = response.statusCode === 200 && body === '{"status":"ok"}';
          resolve(isOurs ? 'caregate' : 'other');
        });
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'other');
    });
    sent.end();
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
