import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { AccessStore } from '../access/access-store.ts';
import { OperatorError } from '../config/operator-error.ts';
import { sampleTeamId } from './demo-data.ts';
import { CommandLog } from './start/command-log.ts';

export interface DemoProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly ca_file: string;
  /** `sha256/<base64>`. */
  readonly fingerprint: string;
  readonly people?: readonly {
    readonly subject: string;
    readonly name: string;
    readonly role: string;
  }[];
}

/** The demo trusts its authority from here on; the rest is checked where it is used. @throws OperatorError */
export function readDemoProvider(file: string): DemoProvider {
  try {
    const provider = JSON.parse(readFileSync(file, 'utf8')) as DemoProvider;
    setDefaultCACertificates([...getCACertificates(), readFileSync(provider.ca_file, 'utf8')]);
    return provider;
  } catch (error) {
    const what = `${file}, or the ca_file that it names, cannot be used`;
    throw new OperatorError(`--identity-provider: ${what}.`, 2, error);
  }
}

export function providerSettings(provider: DemoProvider): Record<string, string> {
  return {
    CAREGATE_OIDC_ISSUER: provider.issuer,
    CAREGATE_OIDC_CLIENT_ID: provider.client_id,
    CAREGATE_CLINIC_NAME: process.env['CAREGATE_CLINIC_NAME'] ?? 'Demo clinic',
  };
}

export async function addDemoPeople(folder: string, provider: DemoProvider): Promise<string> {
  const { acts } = new CommandLog({ dataDir: folder });
  const access = await AccessStore.open(folder, { acts });
  try {
    const { issuer } = provider;
    // People of an earlier run, whose provider is gone.
    for (const { staffId, disabled } of await access.staff.list(sampleTeamId)) {
      if (disabled !== undefined) continue;
      await access.staff.setBadge(staffId, undefined);
      await access.staff.disable(staffId);
    }
    for (const { subject, name, role } of provider.people ?? []) {
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
