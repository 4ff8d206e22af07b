import { beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { USER_ID, createClient, getFailure } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import { InvalidResponseError } from './errors/call-errors.ts';
import { validation } from './validate.ts';
import type { ResponseValidation, ValidationReport } from './validate.ts';

const ferritin = { name: 'Ferritin', slug: 'ferritin' };
const right = {
  metadata: {},
  results: [{ ...ferritin, result: '80', interpretation: 'unheard-of', later_field: [1] }],
};
const wrong = { metadata: {}, results: [{ ...ferritin, result: 4711 }] };
const issue = expect.objectContaining({ path: ['results', 0, 'result'] });

const server = await TestServer.forSpec();
const reports: ValidationReport[] = [];

beforeEach(() => {
  reports.length = 0;
});

const read = (mode: ResponseValidation): Promise<unknown> =>
  createClient(server, { validation: mode }).orders.result(USER_ID);

describe('validation', () => {
  it('strict lets a right answer through, with unknown fields and enum values', async () => {
    server.json(right);
    expect(await read(validation('strict'))).toEqual(right);
  });

  it('strict refuses a wrong one and tells where, never what', async () => {
    server.json(wrong);
    const error = await getFailure(read(validation('strict')));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status: 200, issues: expect.arrayContaining([issue]) });
    expect(error.message).toMatch(/: response does not match the interface$/);
    expect(inspect(error, { depth: null })).not.toMatch(/Ferritin|4711/);
  });

  it('warn reports a wrong one and hands it on', async () => {
    server.json(wrong);
    const warn = validation('warn', (report) => reports.push(report));
    expect(await read(warn)).toEqual(wrong);
    expect(reports).toEqual([
      expect.objectContaining({ operation: 'labOrderResult', issues: [issue] }),
    ]);
  });
});
