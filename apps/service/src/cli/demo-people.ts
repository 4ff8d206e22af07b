import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { AccessStore } from '../access/access-store.ts';
import { PERSON_ROLES } from '../access/staff/staff-rules.ts';
import type { Role } from '../operations/roles.ts';
import { OperatorError } from '../config/operator-error.ts';
import { sampleTeamId } from './demo-data.ts';
import { CommandLog } from './start/command-log.ts';

interface DemoPerson {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
}

export interface DemoProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** `sha256/<base64>`. */
  readonly fingerprint: string;
  readonly people: readonly DemoPerson[];
}

/** The demo trusts its authority from here on. @throws OperatorError */
export function readDemoProvider(file: string): DemoProvider {
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    throw new OperatorError(`--identity-provider: ${file} cannot be read as JSON.`, 2);
  }
  const text = (name: string): string => {
    const value = found[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new OperatorError(`--identity-provider: ${file} has no text ${name}.`, 2);
  };
  trust(text('ca_file'));
  const people: unknown[] = Array.isArray(found['people']) ? found['people'] : [];
  return {
    issuer: text('issuer'),
    clientId: text('client_id'),
    fingerprint: text('fingerprint'),
    people: people.map((person) => personOf(person, file)),
  };
}

function trust(file: string): void {
  try {
    setDefaultCACertificates([...getCACertificates(), readFileSync(file, 'utf8')]);
  } catch (error) {
    throw new OperatorError(`--identity-provider: ${file} cannot be used.`, 2, error);
  }
}

function personOf(found: unknown, file: string): DemoPerson {
  const { subject, name, role } = (found ?? {}) as Record<string, unknown>;
  const known = PERSON_ROLES.find((one) => one === role);
  if (typeof subject !== 'string' || typeof name !== 'string' || known === undefined) {
    throw new OperatorError(
      `--identity-provider: in ${file} each of people needs subject, name and role (${PERSON_ROLES.join(', ')}).`,
      2,
    );
  }
  return { subject, name, role: known };
}

export function providerSettings(provider: DemoProvider): Record<string, string> {
  return {
    CAREGATE_OIDC_ISSUER: provider.issuer,
    CAREGATE_OIDC_CLIENT_ID: provider.clientId,
    CAREGATE_CLINIC_NAME: process.env['CAREGATE_CLINIC_NAME'] ?? 'Demo clinic',
  };
}

/** Each with the badge `badge-<subject>`; returns an enrolment code. */
export async function addDemoPeople(folder: string, provider: DemoProvider): Promise<string> {
  const { acts } = new CommandLog({ dataDir: folder, databaseUrl: '' });
  const access = await AccessStore.open(folder, { acts });
  try {
    const { issuer } = provider;
    // People of an earlier run, whose provider is gone.
    for (const { staffId, disabled } of await access.staff.list(sampleTeamId)) {
      if (disabled !== undefined) continue;
      await access.staff.setBadge(staffId, undefined);
      await access.staff.disable(staffId);
    }
    for (const { subject, name, role } of provider.people) {
      const { staffId } = await access.staff.add({
        ...{ teamId: sampleTeamId, name, role, issuer, subject },
      });
      await access.staff.setBadge(staffId, `badge-${subject}`);
    }
    const { code } = await access.desks.makeCode({ teamId: sampleTeamId, name: 'Demo desk' });
    return code;
  } finally {
    await access.close();
  }
}
