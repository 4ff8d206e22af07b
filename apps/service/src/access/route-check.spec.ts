import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import { teamA, withAccess } from './access.testing.ts';
import { readConfig } from '../config/read-config.ts';
import { LIMITS } from '../config/limits.ts';
import { registerClientAddresses } from '../http/address/client-address.ts';
import { RouteTable } from '../http/route-table.ts';
import { RequestLimits } from './limits/request-limits.ts';
import { AccessModule, type AccessParts } from './access.module.ts';
import type { AccessStore } from './access-store.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { Operation, Public } from './operation.decorator.ts';
import { principalOf } from './principal.ts';
import { ROUTES, isOperation, routeName, type OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import {
  assertEveryRouteHasARow,
  assertRoutesOfTheTable,
  type GuardedRoute,
} from './route-check.ts';

@Controller('people')
class GuardedController {
  @Get(['', ':id'])
  @Operation('listUsers')
  list(): string {
    return 'people';
  }

  @Public()
  @Get('health')
  health(): string {
    return 'well';
  }

  helper(): string {
    return 'no route';
  }
}

@Controller()
class ForgottenController {
  @Post('forgotten/:id')
  forgotten(): string {
    return 'a secret';
  }
}

@Controller('wrong')
class WrongRowController {
  @Get()
  @Operation('toString' as OperationName)
  wrong(): string {
    return 'a secret';
  }
}

@Public()
@Controller('open')
class OpenController {
  @Get()
  open(): string {
    return 'open';
  }

  @Get('closed')
  @Operation('listUsers')
  closed(): string {
    return 'a secret';
  }
}

function partsOf(access: AccessStore): AccessParts {
  const config = readConfig({ CAREGATE_DATA: '.' });
  return {
    access,
    permissions: PERMISSIONS,
    config,
    signIn: new SignIn(config, access.sessions, Date.now),
    requestLimits: new RequestLimits({ ...config, ...LIMITS }),
  };
}

async function withApp(
  controllers: Type[],
  body: (
    app: NestFastifyApplication,
    table: RouteTable,
    store: AccessStore,
  ) => Promise<void> | void,
  prepare: (fastify: FastifyInstance) => void = () => undefined,
): Promise<void> {
  await withAccess(async ({ store }) => {
    @Module({
      imports: [AccessModule.with(partsOf(store))],
      controllers,
    })
    class TestModule {}
    const adapter = new FastifyAdapter<RawServerDefault>({ exposeHeadRoutes: false });
    const table = RouteTable.of(adapter.getInstance());
    registerClientAddresses(adapter.getInstance(), []);
    prepare(adapter.getInstance());
    const app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, {
      logger: false,
      abortOnError: false,
    });
    await app.init();
    try {
      await body(app, table, store);
    } finally {
      await app.close();
    }
  });
}

describe('the check at boot', () => {
  it('fails for a route without a row, and names it', async () => {
    await withApp([GuardedController, ForgottenController], (app, table) => {
      expect(() => assertEveryRouteHasARow(app, table)).toThrow(
        'The route POST /forgotten/:id (ForgottenController.forgotten) has no row in the permission table.',
      );
    });
  });

  it('fails for a row that does not exist', async () => {
    await withApp([WrongRowController], (app, table) => {
      expect(() => assertEveryRouteHasARow(app, table)).toThrow(
        'The route GET /wrong (WrongRowController.wrong) names the row "toString", which does not exist.',
      );
    });
  });

  it('fails for a route put on Fastify itself, unless that says it is public', async () => {
    const body = (app: NestFastifyApplication, table: RouteTable): void => {
      expect(() => assertEveryRouteHasARow(app, table)).toThrow(
        'The route GET /hidden bypasses the access guard.',
      );
    };
    await withApp([GuardedController], body, (fastify) => {
      fastify.get('/files/*', { config: { public: true } }, () => 'open');
      fastify.get('/hidden', () => 'a secret');
    });
  });
});

describe('the check of places', () => {
  const routes = ROUTES.map((route): GuardedRoute => {
    const [method = '', path = ''] = route.split(' ');
    const name = routeName(method, path) ?? '';
    return { method, path, handler: 'C.m', operation: isOperation(name) ? name : undefined };
  });
  const changed = (path: string, change: Partial<GuardedRoute>): GuardedRoute[] =>
    routes.map((route) => (route.path === path ? { ...route, ...change } : route));

  it.each([
    [
      'elsewhere',
      changed('/v2/user', { path: '/v2/users' }),
      'The route GET /v2/users (C.m) is listUsers, and nothing in operations/.',
    ],
    [
      'of another operation',
      changed('/v2/user', { operation: 'resolveUser' }),
      'The route GET /v2/user (C.m) is resolveUser, and listUsers in operations/.',
    ],
    [
      'public that is not to be',
      changed('/audit/key', { operation: undefined }),
      'The route GET /audit/key (C.m) is public, and auditKey in operations/.',
    ],
    [
      'public without a name',
      [...routes, { method: 'GET', path: '/more', handler: 'C.m', operation: undefined }],
      'The route GET /more (C.m) is public, and nothing in operations/.',
    ],
    [
      'lacking',
      routes.filter(({ path }) => path !== '/audit/proof'),
      'No controller serves GET /audit/proof, which is in operations/.',
    ],
  ])('fails for a route that is %s', (_, different, message) => {
    const check = (): void => {
      assertRoutesOfTheTable(different);
    };
    expect(check).toThrow(message);
  });
});

describe('the guard', () => {
  it('stays closed where the check at boot was left out', async () => {
    const controllers = [ForgottenController, WrongRowController, OpenController];
    await withApp(controllers, async (app, _, store) => {
      const role = 'clinician';
      const { key, keyId } = await store.keys.create({ teamId: teamA, role, label: 'desk' });
      const why = { reasonCode: 'other', text: 'x'.repeat(20), userId: teamA } as const;
      await store.breakGlass.ask({ keyId, teamId: teamA, role }, why);
      for (const [method, url, isForKeys] of [
        ['POST', '/forgotten/1', false],
        ['GET', '/wrong', false],
        ['GET', '/open/closed', true],
      ] as const) {
        const open = await app.inject({ method, url });
        expect(open.body).not.toContain('secret');
        expect(open.statusCode).toBeGreaterThanOrEqual(400);
        const known = await app.inject({ method, url, headers: { 'x-service-api-key': key } });
        expect([url, known.body.includes('secret')]).toEqual([url, isForKeys]);
      }
      expect((await app.inject('/open')).body).toBe('open');
    });
  });

  it('reads for nobody where it let nobody in', () => {
    expect(() => principalOf({} as FastifyRequest)).toThrow('the access guard did not run');
  });
});
