import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What an answer discloses, for its audit record. It counts only where the answer leaves. */
export interface Disclosure {
  /** User ids of everyone the answer is about. */
  readonly patients: readonly string[];
  /** How many more it is about whom the source did not name. */
  readonly unnamedPatients?: number;
  /** Users, results, insurances, points or events in the answer. */
  readonly recordCount: number;
  readonly breakGlassId?: string;
  /** Whom it is about, where nothing of theirs is shown. */
  readonly aboutUserId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the operation when it has its answer; see `CurrentDisclosure`. */
    disclosure?: Disclosure;
  }
}

/** Notes what the answer discloses. Each operation says so itself: nobody else knows its answer. */
export type Disclose = (disclosure: Disclosure) => void;

/** Parameter of a controller's method: see {@link Disclose}. */
export const CurrentDisclosure = createParamDecorator(
  (_data: undefined, context: ExecutionContext): Disclose => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return (disclosure) => {
      request.disclosure = disclosure;
    };
  },
);
