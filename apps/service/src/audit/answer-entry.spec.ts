import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { PERMISSIONS, parseNarrowing } from '../operations/permission-table.ts';
import { chooseDecision, explainDenial, readDetails, chooseReason } from './answer-entry.ts';
import { readSubject } from '../fhir/requested-patient.ts';

const hide = (purpose: string, text: string): string => `${purpose} ${text}`;
const detailsOf = (request: FastifyRequest): unknown => readDetails(request, undefined, hide);
const requested = (query: string, operation = 'listUsers'): FastifyRequest =>
  ({
    ...{ raw: { url: `/path?${query}` }, params: {}, method: 'GET' },
    routeOptions: { config: { operation } },
  }) as unknown as FastifyRequest;

describe('the recorded details of a request', () => {
  it('are the known parameters in their formats, each sent once; what is searched is hidden', () => {
    const query = 'limit=5&offset=x&page=1&page=2&other=1&patient_name=Tilda&user_id=7';
    expect(detailsOf(requested(query))).toEqual({
      limit: '5',
      patient_name_hmac: 'search tilda',
    });
    const fhir = 'category=laboratory&status=x&status=final&name=Tilda';
    for (const [of, more] of [
      [fhir, {}],
      ['category=tilda&status=tilda&name=Tilda', { category: undefined }],
    ] as const) {
      expect(detailsOf(requested(of, 'searchPatients'))).toEqual({
        ...{ category: 'laboratory', name_hmac: 'search tilda', ...more },
      });
    }
  });

  it('name whom or which order an id of FHIR is of', () => {
    const id = '78aee2a5-6cc9-4906-a5f3-4f06394ed100';
    for (const [params, userId, orderId] of [
      [{ coverage_id: `${id}.primary` }, id, undefined],
      [{ observation_id: `${id}.hmhz2whlts.tw22094nci` }, id, undefined],
      [{ observation_id: `${id}.17pybjyncp2` }, undefined, id],
      [{ observation_id: 'Tilda', coverage_id: 'Tilda' }, undefined, undefined],
    ] as const) {
      const request = { ...requested(''), params } as unknown as FastifyRequest;
      const subject = readSubject(request);
      expect([params, subject.userId, subject.orderId]).toEqual([params, userId, orderId]);
    }
  });
});

describe('the reason of a denial', () => {
  const narrowed = parseNarrowing('front_desk.labOrderResult=no');
  it.each([
    ['role', PERMISSIONS, 'billing', [], 'labOrderResult'],
    ['role', narrowed, 'billing', [], 'labOrderResult'],
    ['narrowed', narrowed, 'front_desk', [], 'labOrderResult'],
    ['scope', PERMISSIONS, 'integration', ['users:list'], 'labOrderResult'],
    [undefined, PERMISSIONS, 'front_desk', [], 'labOrderResult'],
    [undefined, PERMISSIONS, 'integration', ['lab-results:read'], 'labOrderResult'],
    [undefined, PERMISSIONS, 'admin', [], 'none'],
  ] as const)('%s', (reason, table, role, scopes, operation) => {
    expect(explainDenial(table, { role, scopes }, operation)).toBe(reason);
  });
});

describe('an outcome', () => {
  it.each([
    [400, 'invalid', 'malformed_request'],
    [401, 'denied', 'unauthorized'],
    [404, 'not_found', 'absent'],
    [405, 'invalid', 'method_not_allowed'],
    [422, 'invalid', 'invalid_parameter'],
    [429, 'denied', 'rate_limited'],
    [499, 'failed', 'disconnected'],
    [500, 'failed', 'failed'],
    [503, 'failed', 'unavailable'],
    [504, 'failed', 'timeout'],
  ] as const)('of status %p is %s, %s', (status, decision, reason) => {
    expect([chooseDecision(status), chooseReason(status)]).toEqual([decision, reason]);
  });
});
