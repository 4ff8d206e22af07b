import { readFileSync } from 'node:fs';
import { OperatorError } from '../config/operator-error.ts';
import { sampleTeamId, withDemoAccess } from './demo-data.ts';

export interface DemoProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly people?: readonly {
    readonly subject: string;
    readonly name: string;
    readonly role: string;
  }[];
}

/** What it says is checked where it is used. @throws OperatorError */
export function readDemoProvider(file: string): DemoProvider {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoProvider;
  } catch (error) {
    throw new OperatorError(`--identity-provider: ${file} cannot be read.`, 2, error);
  }
}

export function providerSettings(provider: DemoProvider): Record<string, string> {
  return {
    CAREGATE_OIDC_ISSUER: provider.issuer,
    CAREGATE_OIDC_CLIENT_ID: provider.client_id,
    CAREGATE_CLINIC_NAME: process.env['CAREGATE_CLINIC_NAME'] ?? 'Demo clinic',
  };
}

/** @returns a code with which a desk enrolls */
export async function addDemoPeople(folder: string, provider: DemoProvider): Promise<string> {
  return await withDemoAccess(folder, async (access) => {
    // People of an earlier run, whose provider is gone.
    for (const { staffId, disabled } of await access.staff.list(sampleTeamId)) {
      if (disabled !== undefined) continue;
      await access.staff.setBadge(staffId, undefined);
      await access.staff.disable(staffId);
    }
    const { issuer, people = [] } = provider;
    for (const { subject, name, role } of people) {
      const { staffId } = await access.staff.add({
        ...{ teamId: sampleTeamId, name, role, issuer, subject },
      });
      await access.staff.setBadge(staffId, `badge-${subject}`);
    }
    return (await access.desks.makeCode({ teamId: sampleTeamId, name: 'Demo desk' })).code;
  });
}
