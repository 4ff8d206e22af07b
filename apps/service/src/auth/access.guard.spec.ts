import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LIMITS } from '../config/limits.ts';
import { readConfig } from '../config/read-config.ts';
import { registerClientAddresses } from '../http/client-address.ts';
import type { OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import type { HealthDataSource } from '@caregate/data-store';
import { AccessGuard } from './access.guard.ts';
import { openAccess, teamA } from './access.testing.ts';
import { GrantedAccess } from './break-glass/granted-access.ts';
import { RequestLimits } from './request-limits.ts';
import { Operation, Public } from './operation.decorator.ts';
import { SessionGate } from './sessions/session-gate.ts';

@Controller()
class TestController {
  @Post('forgotten/:id')
  forgotten(): string {
    return 'a secret';
  }

  @Get('wrong')
  @Operation('toString' as OperationName)
  wrong(): string {
    return 'a secret';
  }

  @Get('list')
  @Operation('listUsers')
  list(): string {
    return 'a list';
  }

  @Get('open')
  @Public('about')
  open(): string {
    return 'open';
  }
}

describe('the guard', () => {
  it('refuses routes without an operation', async () => {
    const { store } = await openAccess();
    const config = readConfig({ CAREGATE_DATA: '.' });
    const guard = new AccessGuard(
      store,
      new SessionGate(store, config, new HttpAdapterHost()),
      PERMISSIONS,
      new RequestLimits({ ...config, ...LIMITS }),
      // The source is never used, since no request is about a patient.
      new GrantedAccess(store, undefined as unknown as HealthDataSource),
    );

    @Module({
      controllers: [TestController],
      providers: [{ provide: APP_GUARD, useValue: guard }],
    })
    class TestModule {}
    const adapter = new FastifyAdapter();
    registerClientAddresses(adapter.getInstance(), []);
    const app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, {
      logger: false,
    });
    await app.init();
    const role = 'clinician';
    const { key, keyId } = await store.keys.create({ teamId: teamA, role, label: 'desk' });
    const why = { reasonCode: 'other', text: 'x'.repeat(20), userId: teamA } as const;
    await store.breakGlass.ask({ keyId, teamId: teamA, role }, why);
    for (const [method, url, body] of [
      ['POST', '/forgotten/1', undefined],
      ['GET', '/wrong', undefined],
      ['GET', '/list', 'a list'],
    ] as const) {
      const anonymous = await app.inject({ method, url });
      expect(anonymous.statusCode).toBeGreaterThanOrEqual(400);
      const permitted = await app.inject({ method, url, headers: { 'x-service-api-key': key } });
      expect([url, permitted.body.includes('secret')]).toEqual([url, false]);
      expect([url, permitted.statusCode < 400]).toEqual([url, body !== undefined]);
    }
    expect((await app.inject('/open')).body).toBe('open');
    await app.close();
  });
});
