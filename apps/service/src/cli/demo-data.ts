import type { ImportEnvelope } from '@caregate/domain';
import { OperatorError } from '@caregate/data-store/errors';
import {
  edgeCaseEnvelopes,
  listPersonas,
  sampleEnvelopes,
  sampleTeamId,
  sampleUserEnvelopes,
} from '@caregate/sample-data';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AccessStore } from '../auth/access-store.ts';
import { type Role, ROLES, SCOPES } from '../operations/operations.ts';
import { importEnvelopes, openStoreForWriting, ImportWriter } from '@caregate/data-store';
import { makeFolder } from '@caregate/data-store/database';
import { runRecordedImport } from './import/recorded-import.ts';
import { CommandLog } from './common/command-log.ts';
import type { Sample } from './common/ready-file.ts';

export { sampleTeamId };

/** Name of the file that marks a demo folder, so that fictional people never mix with real ones. */
const markFile = 'made-up-people';

export interface DemoFolder {
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Prepares the data folder of a demo, which is temporary by default. @throws OperatorError if the folder has files
 * that aren't a demo's
 */
export function prepareDemoFolder(path: string | undefined): DemoFolder {
  if (path === undefined) {
    const path = mkdtempSync(join(tmpdir(), 'caregate-demo-'));
    return {
      path,
      remove: () => {
        rmSync(path, { recursive: true, force: true });
      },
    };
  }
  makeFolder(path);
  const mark = join(path, markFile);
  if (!existsSync(mark)) {
    if (readdirSync(path).length > 0) {
      throw new OperatorError(
        `${path} contains files that are not from a demo. Choose an empty folder, so that fictional people are never mixed with real ones.`,
        2,
      );
    }
    writeFileSync(
      mark,
      'The people in this folder are fictional. They were created by `caregate demo`.\n',
    );
  }
  return { path, remove: () => undefined };
}

export async function fillDemo(
  folder: string,
  users: number,
  onPerson: (done: number) => void,
): Promise<void> {
  const log = new CommandLog({ dataDir: folder });
  const writer = new ImportWriter(await openStoreForWriting({ dataDir: folder }));
  try {
    for (const [name, envelopes] of [
      ['sample', paceEnvelopes(sampleEnvelopes({ users }), onPerson)],
      ['edge cases', paceEnvelopes(edgeCaseEnvelopes())],
    ] as const) {
      const report = await runRecordedImport(log, {}, (beforeCommit) =>
        importEnvelopes(writer, name, envelopes, { beforeCommit }),
      );
      if (!report.imported) {
        const { first } = report.refused;
        const where = first.map(({ line, reasons }) => `${line}: ${JSON.stringify(reasons)}`);
        throw new OperatorError(`The sample data could not be imported. ${where.join('; ')}`);
      }
    }
  } finally {
    await writer.close();
  }
}

/** Yields to the event loop between envelopes, since the writer is synchronous. */
async function* paceEnvelopes(
  envelopes: Iterable<ImportEnvelope>,
  onPerson?: (done: number) => void,
): AsyncGenerator<ImportEnvelope> {
  let [count, people] = [0, 0];
  for (const envelope of envelopes) {
    count += 1;
    if (count % 256 === 0) {
      await setImmediate();
    }
    yield envelope;
    if (envelope.kind === 'user') {
      onPerson?.((people += 1));
    }
  }
}

async function withDemoAccess<T>(
  folder: string,
  work: (access: AccessStore) => Promise<T>,
): Promise<T> {
  const { acts } = new CommandLog({ dataDir: folder });
  const access = await AccessStore.open(folder, { acts });
  try {
    return await work(access);
  } finally {
    await access.close();
  }
}

export async function makeDemoKeys(folder: string): Promise<Record<Role, string>> {
  return await withDemoAccess(folder, async (access) => {
    const keys: Partial<Record<Role, string>> = {};
    for (const role of ROLES) {
      const { key } = await access.keys.create({
        ...{ teamId: sampleTeamId, teamName: 'Demo', role, label: role, isTest: true },
        scopes: role === 'integration' ? SCOPES : [],
      });
      keys[role] = key;
    }
    return keys as Record<Role, string>;
  });
}

export interface DemoSample extends Sample {
  readonly start_date: string;
  readonly end_date: string;
}

export function buildDemoSample(): DemoSample {
  const { userId, clientUserId, orderIds, index } = listPersonas().amara;
  const days: string[] = [];
  for (const envelope of sampleUserEnvelopes(index, { kinds: ['mindfulness_minutes'] })) {
    if (envelope.kind === 'mindfulness_minutes') {
      days.push(...envelope.data.map(({ start }) => new Date(start).toISOString().slice(0, 10)));
    }
  }
  const [last = ''] = days.sort().reverse();
  return {
    user_id: userId,
    client_user_id: clientUserId,
    order_id: orderIds.at(-1) ?? '',
    start_date: new Date(Date.parse(last) - 6 * 86_400_000).toISOString().slice(0, 10),
    end_date: last,
  };
}

export interface DemoProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly people?: readonly {
    readonly subject: string;
    readonly name: string;
    readonly role: string;
  }[];
}

/** Reads the file of an identity provider. Its values are checked where they are used. @throws OperatorError */
export function readDemoProvider(file: string): DemoProvider {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoProvider;
  } catch (error) {
    throw new OperatorError(`--identity-provider: ${file} cannot be read.`, 2, error);
  }
}

export function toProviderSettings(provider: DemoProvider): Record<string, string> {
  return {
    CAREGATE_OIDC_ISSUER: provider.issuer,
    CAREGATE_OIDC_CLIENT_ID: provider.client_id,
    CAREGATE_CLINIC_NAME: process.env['CAREGATE_CLINIC_NAME'] ?? 'Demo clinic',
  };
}

/** @returns a code to enroll a desk */
export async function addDemoPeople(folder: string, provider: DemoProvider): Promise<string> {
  return await withDemoAccess(folder, async (access) => {
    // Disable the staff of an earlier demo in this folder, since their identity provider no longer runs.
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
