import { describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import type { HealthDataSource, SourceReaders, Stored } from '../../source/health-data-source.ts';
import type { AccessStore } from '../access-store.ts';
import { teamA } from '../access.testing.ts';
import { OPERATION_NAMES, type OperationName } from '../../operations/operations.ts';
import type { Principal } from '../principal.ts';
import type { BreakGlassStore } from '../break-glass-store.ts';
import { EmergencyAccess } from './emergency-access.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const principal = { teamId: teamA, keyId: 'desk' } as Principal;
/** One request that names the patient in every way there is. */
const everyWay = { user_id: patient.toUpperCase(), client_user_id: 'Ä 1', order_id: 'order' };

function setup(grants: Readonly<Record<string, string>>) {
  const inForce = jest.fn<BreakGlassStore['inForce']>(() =>
    Promise.resolve(new Map(Object.entries(grants))),
  );
  const found = (): Promise<Stored> => Promise.resolve({ body: '', userId: patient });
  const resolveUser = jest.fn<SourceReaders['resolveUser']>(found);
  const labOrderResult = jest.fn<SourceReaders['labOrderResult']>(found);
  const store = { breakGlass: { inForce } } as unknown as AccessStore;
  const readers: Partial<Record<string, unknown>> = { resolveUser, labOrderResult };
  const source = {
    read: (operation: string, ...args: unknown[]) =>
      (readers[operation] as (...args: unknown[]) => unknown)(...args),
  } as unknown as HealthDataSource;
  const access = new EmergencyAccess(store, source);
  const grantFor = (operation: OperationName, params: unknown = everyWay) =>
    access.grantFor(principal, operation, { params } as FastifyRequest);
  return { store, inForce, resolveUser, labOrderResult, grantFor };
}

describe('emergency access', () => {
  it('is to what is about one patient, and to nothing else', async () => {
    const { grantFor, resolveUser, labOrderResult, inForce } = setup({ [patient]: 'grant' });
    const open: OperationName[] = [];
    for (const operation of OPERATION_NAMES) {
      if ((await grantFor(operation)) === 'grant') {
        open.push(operation);
      }
    }
    expect(open).toEqual([
      'resolveUser',
      'latestInsurance',
      'labOrderResult',
      'mindfulnessMinutes',
      'userInfo',
      'orderHistory',
    ]);
    expect(resolveUser.mock.calls).toEqual([[teamA, 'Ä 1']]);
    expect(labOrderResult.mock.calls).toEqual([
      [teamA, 'order'],
      [teamA, 'order'],
    ]);
    expect(inForce).toHaveBeenCalledWith(expect.objectContaining({ keyId: 'desk' }));
  });

  it('is to no other patient', async () => {
    const { grantFor } = setup({ 'a0000000-0000-4000-8000-00000000000b': 'grant' });
    for (const operation of OPERATION_NAMES) {
      expect(await grantFor(operation)).toBeUndefined();
    }
  });

  it('looks nobody up for a key that has no grant', async () => {
    const { grantFor, resolveUser, labOrderResult } = setup({});
    for (const operation of OPERATION_NAMES) {
      expect(await grantFor(operation)).toBeUndefined();
    }
    expect(resolveUser).not.toHaveBeenCalled();
    expect(labOrderResult).not.toHaveBeenCalled();
  });

  it('is to nobody where nobody is found, named, or there is nothing to look in', async () => {
    const { store, grantFor, resolveUser, labOrderResult } = setup({ [patient]: 'grant' });
    for (const params of [{}, null]) {
      for (const operation of ['latestInsurance', 'mindfulnessMinutes'] as const) {
        expect(await grantFor(operation, params)).toBeUndefined();
      }
    }
    resolveUser.mockResolvedValue(undefined);
    labOrderResult.mockResolvedValue(undefined);
    expect(await grantFor('resolveUser', {})).toBeUndefined();
    expect(await grantFor('labOrderResult', {})).toBeUndefined();
    expect(resolveUser).toHaveBeenLastCalledWith(teamA, '');
    expect(labOrderResult).toHaveBeenLastCalledWith(teamA, '');
    const alone = new EmergencyAccess(store, undefined);
    for (const operation of ['resolveUser', 'labOrderResult'] as const) {
      const request = { params: everyWay } as unknown as FastifyRequest;
      expect(await alone.grantFor(principal, operation, request)).toBeUndefined();
    }
  });
});
