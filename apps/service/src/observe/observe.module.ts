import { Module, type DynamicModule } from '@nestjs/common';
import { HealthController } from './health.controller.ts';
import { MetricsController } from './metrics.controller.ts';
import { Metrics } from './metrics.ts';
import { MetricsToken } from './metrics-token.ts';

@Module({})
export class ObserveModule {
  static with(parts: {
    readonly metrics: Metrics;
    readonly metricsToken: MetricsToken;
  }): DynamicModule {
    return {
      module: ObserveModule,
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: Metrics, useValue: parts.metrics },
        { provide: MetricsToken, useValue: parts.metricsToken },
      ],
    };
  }
}
