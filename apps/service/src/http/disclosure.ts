import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What a response discloses, for its audit record. Ignored if the response is not sent. */
interface Disclosure {
  /** User ids of the people in the response. */
  readonly patients: readonly string[];
  /** Number of further people, whom the source did not identify. */
  readonly unnamedPatients?: number;
  /** Number of users, results, insurances, points or events in the response. */
  readonly recordCount: number;
  readonly breakGlassId?: string;
  /** The user of the request, if none of their data is returned. */
  readonly aboutUserId?: string;
  /** `listed` if the people are shown in a list, and nobody's record was opened. */
  readonly shown?: 'listed';
  /** More of the record: coded values and ids, no free text. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** The body of a response that tells the id of its own record. */
  readonly bodyWithRecord?: (recordId: string) => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the operation; see `CurrentDisclosure`. */
    disclosure?: Disclosure;
  }
}

/** Sets what the response discloses. Called by each operation, since only it knows its response. */
export type Disclose = (disclosure: Disclosure) => void;

/** Parameter decorator for controller methods: see {@link Disclose}. */
export const CurrentDisclosure = createParamDecorator(
  (_data: undefined, context: ExecutionContext): Disclose => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return (disclosure) => {
      request.disclosure = disclosure;
    };
  },
);
