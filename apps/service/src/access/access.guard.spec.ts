import { describe, expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { AccessGuard } from './access.guard.ts';
import type { SessionGate } from './sessions/session-gate.ts';
import type { AccessStore } from './access-store.ts';
import { teamA, withAccess } from './access.testing.ts';
import type { EmergencyAccess } from './break-glass/emergency-access.ts';
import { Operation, Public } from './operation.decorator.ts';
import type { OperationName } from '../operations/operations.ts';
import { principalOf } from './principal.ts';
import { parseNarrowing } from '../operations/permission-table.ts';
import type { Role } from '../operations/roles.ts';

class Routes {
  @Operation('listUsers')
  list(): void {}
  @Operation('labOrderResult')
  result(): void {}
  @Operation('toString' as OperationName)
  noRow(): void {}
  forgotten(): void {}
  @Public()
  health(): void {}
}
@Public()
class OpenRoutes {
  open(): void {}
  @Operation('listUsers')
  closed(): void {}
}

interface Asked {
  readonly from?: typeof Routes | typeof OpenRoutes;
  readonly method: keyof Routes | keyof OpenRoutes;
  readonly rawHeaders?: readonly string[];
  readonly grant?: string;
}

interface Outcome {
  readonly let: unknown;
  readonly request: Partial<FastifyRequest>;
  readonly sent: Readonly<Record<string, string>>;
  readonly requested: number;
}

async function guarded(
  store: AccessStore,
  { from = Routes, method, rawHeaders = [], grant }: Asked,
): Promise<Outcome> {
  const request = {
    raw: { rawHeaders, headers: {} },
    clientAddress: '192.0.2.7',
  } as unknown as FastifyRequest;
  const sent: Record<string, string> = {};
  const reply = { header: (name: string, value: string) => void (sent[name] = value) };
  const grantFor = jest.fn(() => Promise.resolve(grant));
  const emergency = { grantFor } as unknown as EmergencyAccess;
  const nobody = {} as SessionGate;
  const guard = new AccessGuard(new Reflector(), store, parseNarrowing(''), emergency, nobody);
  const context = {
    getHandler: () => (from.prototype as unknown as Record<string, object>)[method],
    getClass: () => from,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }),
  } as unknown as ExecutionContext;
  const outcome = await guard
    .canActivate(context)
    .catch((error: unknown) => (error as ProblemError).problem);
  return { let: outcome, request, sent, requested: grantFor.mock.calls.length };
}

async function keyOf(store: AccessStore, role: Role) {
  const { key, keyId } = await store.keys.create({ teamId: teamA, role, label: 'desk' });
  const principal = { kind: 'key', teamId: teamA, role, scopes: [], keyId, label: 'desk' };
  return { rawHeaders: ['X-Service-Api-Key', key], principal };
}

const unauthorized = {
  type: 'unauthorized',
  headers: { 'www-authenticate': 'ApiKey realm="caregate", header="x-service-api-key"' },
};

describe('the guard', () => {
  it('lets anyone into what is public, and asks for no key', async () => {
    await withAccess(async ({ store }) => {
      for (const requested of [
        { method: 'health' },
        { from: OpenRoutes, method: 'open' },
        { method: 'health', rawHeaders: ['x-service-api-key', 'x', 'x-service-api-key', 'y'] },
      ] as const) {
        const { let: outcome, request } = await guarded(store, requested);
        expect([outcome, request.caller, request.principal]).toEqual([true, undefined, undefined]);
      }
    });
  });

  it('lets nobody in without a key, and without one looks nothing up', async () => {
    await withAccess(async ({ store }) => {
      const authenticate = jest.spyOn(store.keyCheck, 'authenticate');
      for (const requested of [
        { method: 'list' },
        { method: 'forgotten' },
        { from: OpenRoutes, method: 'closed' },
      ] as const) {
        expect((await guarded(store, requested)).let).toEqual(unauthorized);
      }
      expect(authenticate).not.toHaveBeenCalled();
      const empty = { method: 'list', rawHeaders: ['x-service-api-key', ''] } as const;
      expect((await guarded(store, empty)).let).toEqual(unauthorized);
      expect(authenticate.mock.calls).toEqual([['', '192.0.2.7']]);
    });
  });

  it('refuses a good key where a route has no row, or names one there is not, and asks for no grant', async () => {
    await withAccess(async ({ store }) => {
      const { rawHeaders, principal } = await keyOf(store, 'clinician');
      for (const method of ['forgotten', 'noRow'] as const) {
        const outcome = await guarded(store, { method, rawHeaders, grant: 'a grant' });
        expect(outcome).toMatchObject({ let: { type: 'forbidden' }, sent: {}, requested: 0 });
        expect(outcome.request.caller).toEqual(principal);
        expect(outcome.request.principal).toBeUndefined();
      }
    });
  });

  it('reads for nobody where it let nobody in', () => {
    expect(() => principalOf({} as FastifyRequest)).toThrow('the access guard did not run');
  });
});
