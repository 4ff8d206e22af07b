import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { principalOf, type AllowedPrincipal } from './principal.ts';

describe('principalOf', () => {
  it('is whom the guard has let in', () => {
    const principal = { keyId: 'one' } as AllowedPrincipal;
    expect(principalOf({ principal } as FastifyRequest)).toBe(principal);
  });

  it('throws where the guard let nobody in, rather than read for nobody', () => {
    expect(() => principalOf({} as FastifyRequest)).toThrow('the access guard did not run');
  });
});
