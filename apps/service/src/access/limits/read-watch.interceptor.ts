import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { ProblemError } from '../../problem/problem-error.ts';
import { ReadWatch } from './read-watch.ts';

const listDefault = 100;

/** Tells the watch what each allowed read came to. */
@Injectable()
export class ReadWatchInterceptor implements NestInterceptor {
  readonly #watch: ReadWatch;

  constructor(@Inject(ReadWatch) watch: ReadWatch) {
    this.#watch = watch;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal } = request;
    if (principal === undefined) {
      return next.handle();
    }
    return next.handle().pipe(
      tap({
        complete: () => {
          const listing = principal.operation === 'listUsers';
          this.#watch.read(principal, listing ? pageSize(request) : 1);
        },
        error: (error: unknown) => {
          if (
            principal.operation === 'resolveUser' &&
            error instanceof ProblemError &&
            error.problem.type === 'not-found'
          ) {
            this.#watch.resolveMissed(principal);
          }
        },
      }),
    );
  }
}

/** How many users were asked for; a page may hold fewer, and an alarm may then come early. */
function pageSize(request: FastifyRequest): number {
  const limit = Number((request.query as { limit?: unknown } | undefined)?.limit ?? listDefault);
  return Number.isInteger(limit) && limit > 0 ? limit : listDefault;
}
