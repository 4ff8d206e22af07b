import { AxiosTransport } from '@caregate/api-client/axios';
import {
  HealthDataSource,
  SourceByTeam,
  UpstreamSource,
  type UpstreamSettings,
} from '@caregate/data-store';
import type { HttpService } from '@nestjs/axios';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Limits } from '../config/limits.ts';
import type { Resources } from '../resources.module.ts';

/** Provides {@link HealthDataSource}: the store, and upstreams for some teams. */
@Module({})
export class SourceModule implements OnApplicationShutdown {
  constructor(private readonly source: HealthDataSource) {}

  static async with(
    { source, upstreams = new Map() }: Resources,
    { upstreamMs }: Limits,
  ): Promise<DynamicModule> {
    const shared = { module: SourceModule, global: true, exports: [HealthDataSource] };
    if (upstreams.size === 0) {
      return { ...shared, providers: [{ provide: HealthDataSource, useValue: source }] };
    }
    // Loaded on demand, since loading axios would delay a start without upstreams.
    const { HttpModule, HttpService: Http } = await import('@nestjs/axios');
    // A new connection for each read. Most responses don't name their patient, so a response that a proxy repeats
    // must not be taken for that of the next read.
    const connections = { keepAlive: false };
    const createSource = ({ axiosRef }: HttpService): HealthDataSource => {
      const transport = new AxiosTransport(axiosRef);
      const createTeamSource = ([team, each]: [string, UpstreamSettings]) =>
        [team, new UpstreamSource(each, transport, upstreamMs)] as const;
      return new SourceByTeam(source, new Map([...upstreams].map(createTeamSource)));
    };
    return {
      ...shared,
      imports: [
        HttpModule.register({
          httpAgent: new http.Agent(connections),
          httpsAgent: new https.Agent(connections),
          // Ignores proxy variables of the environment, since upstreams are called directly.
          proxy: false,
        }),
      ],
      providers: [{ provide: HealthDataSource, useFactory: createSource, inject: [Http] }],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.source.close();
  }
}
