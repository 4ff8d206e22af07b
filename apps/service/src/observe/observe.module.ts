import { Module, type DynamicModule } from '@nestjs/common';
import { Draining } from './draining.ts';
import { HealthController } from './health.controller.ts';
import { MetricsController } from './metrics.controller.ts';
import { Metrics } from './metrics.ts';

@Module({})
export class ObserveModule {
  static with({ metrics }: { readonly metrics: Metrics }): DynamicModule {
    return {
      module: ObserveModule,
      controllers: [HealthController, MetricsController],
      providers: [Draining, { provide: Metrics, useValue: metrics }],
    };
  }
}
