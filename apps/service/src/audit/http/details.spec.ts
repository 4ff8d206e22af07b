import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { detailsOf } from './details.ts';

const hidden = {
  clientUserId: (text: string) => `id ${text}`,
  search: (text: string) => `text ${text}`,
};
const requested = (query: string): FastifyRequest =>
  ({ raw: { url: `/v2/user/?${query}` }, params: {}, method: 'GET' }) as unknown as FastifyRequest;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the recorded details of a request', () => {
  it('are the known parameters in their formats, each sent once; what is searched is hidden', () => {
    const query = 'limit=5&offset=x&page=1&page=2&other=1&patient_name=Tilda&user_id=7';
    expect(detailsOf(requested(query), hidden)).toEqual({
      limit: '5',
      patient_name_hmac: 'text Tilda',
    });
  });

  it('take as many look-ups of a query of thousands of names as of an empty one', () => {
    const lookUps = jest.spyOn(URLSearchParams.prototype, 'getAll');
    const countOf = (query: string): number => {
      lookUps.mockClear();
      detailsOf(requested(query), hidden);
      return lookUps.mock.calls.length;
    };
    const names = Array.from({ length: 4_000 }, (_, at) => at.toString(36)).join('&');
    expect(countOf(names)).toBe(countOf('limit=5'));
  });
});
