import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { startSpecService, type Answer, type TestService } from '../../testing/service.testing.ts';

const own = [...sampleEnvelopes({ users: 4, teamId: sampleTeamId })];
const theirs = [...sampleEnvelopes({ users: 4, teamId: otherTeamId, seed: 77 })];
function findOrder(envelopes: typeof own): { readonly order_id: string; readonly user_id: string } {
  const found = envelopes.find((envelope) => envelope.kind === 'lab_result');
  if (found === undefined) {
    throw new Error('The sample data has no lab result');
  }
  return found;
}

export function findClientUserId(userId: string): string {
  for (const envelope of [...own, ...theirs]) {
    if (envelope.kind === 'user' && envelope.user.user_id === userId) {
      return envelope.user.client_user_id;
    }
  }
  throw new Error('The sample data has no such user');
}

export const order = findOrder(own);
export const theirOrder = findOrder(theirs);
export const nobody = '00000000-0000-4000-8000-000000000000';

/** A service with two teams, and API keys of the first team. */
export interface Clinic {
  readonly service: TestService;
  readonly clinician: { readonly key: string; readonly keyId: string };
  readonly auditor: string;
  readonly theirs: { readonly clinician: string; readonly auditor: string };
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, key: string): Promise<Response>;
  /** Reads the lab result of `order` as the clinician. Returns the ID of the audit record. */
  readResult(): Promise<string>;
}

/** Opens a clinic for all tests of a spec file. */
export async function openClinic(): Promise<Clinic> {
  const service = await startSpecService([...own, ...theirs]);
  const keys = {
    teamId: sampleTeamId,
    role: 'clinician',
    label: 'Dr. Ines Example <desk 2>',
  } as const;
  const clinician = await service.access.keys.create(keys);
  const auditor = await service.key(sampleTeamId, 'auditor');
  const get: Clinic['get'] = (path, key = auditor, headers = {}) => service.get(path, key, headers);
  return {
    service,
    clinician,
    auditor,
    theirs: {
      clinician: await service.key(otherTeamId),
      auditor: await service.key(otherTeamId, 'auditor'),
    },
    get,
    post: (path, body, key) =>
      fetch(`http://127.0.0.1:${service.port}${path}`, {
        method: 'POST',
        headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    readResult: async () => {
      const { headers } = await get(`/v3/order/${order.order_id}/result`, clinician.key);
      return String(headers['x-audit-record-id']);
    },
  };
}
