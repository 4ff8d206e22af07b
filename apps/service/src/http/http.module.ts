import { Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../common/tokens.ts';
import { ProblemFilter } from './problem.filter.ts';
import { RequestHooks } from './request-hooks.ts';
import { RequestLog, RequestObserver } from './request-log.ts';

@Global()
@Module({
  providers: [
    {
      provide: RequestLog,
      useFactory: (logger: Logger) => new RequestLog(logger),
      inject: [LOGGER],
    },
    RequestObserver,
    ProblemFilter,
    RequestHooks,
  ],
  exports: [RequestLog, ProblemFilter],
})
export class HttpModule {}
