import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { emptyTeam, json, userOf } from '../support/fake-service.testing.ts';
import type { Responder } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

const desk = signedInDesk(undefined, { mayReportFaults: true });

function resolve(clientUserId: string): Promise<unknown> {
  return desk.desktop.page.evaluate(
    (id) =>
      window.caregate.read({
        operation: 'resolveUser',
        call: 'test',
        params: { clientUserId: id },
      }),
    clientUserId,
  );
}

const problem = (status: number): Responder => {
  return (_request, response) => {
    json(response, status, { type: 'about:blank', title: 'No', status, detail: 'MRN-1' });
  };
};

const text = (body: string | Buffer, type = 'application/json', status = 200): Responder => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:9/elsewhere' });
    response.end(body);
  };
};

describe('an answer that is', () => {
  it.each<[what: string, how: Responder]>([
    ['HTML with 200', text('<!doctype html><title>Log in to the network</title>', 'text/html')],
    ['half a JSON', text('{"user_id": "1111')],
    ['a problem document with 200', text('{"type": "about:blank", "title": "No", "status": 404}')],
    [
      'a user without a time zone',
      text(JSON.stringify({ ...userOf('MRN-1'), fallback_time_zone: null })),
    ],
    ['a redirect', text('', 'text/html', 302)],
    ['bytes that are no text', text(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['a refusal for no reason', problem(418)],
  ])('%s is told as one of a broken service', async (_what, how) => {
    desk.service.respondWith(how);
    const answer = await resolve('MRN-1');
    expect(answer).toMatchObject({
      ...{ ok: false, problem: { kind: 'serverBroken', operation: 'resolveUser' } },
    });
    expect(JSON.stringify(answer)).not.toContain('MRN-1');
  });

  it('returns the IDs of its request and its audit record', async () => {
    desk.service.respondWith((_request, response) => {
      json(response, 200, { ...userOf('MRN-1'), extra: 'kept' }, { 'x-audit-record-id': 'log/7' });
    });
    expect(await resolve('MRN-1')).toMatchObject({
      ok: true,
      value: {
        value: { client_user_id: 'MRN-1', extra: 'kept' },
        requestId: 'request-1',
        auditId: 'log/7',
      },
    });
  });

  it('signs out with a reason at a 401', async () => {
    // What the desk asks by itself may not be refused first.
    desk.service.respondWith((request, response) => {
      problem(request.url?.includes('/resolve/') === true ? 401 : 404)(request, response);
    });
    expect(await resolve('MRN-1')).toMatchObject({ problem: { kind: 'expired' } });
    await desk.desktop.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await desk.desktop.page.getByText('no longer accepted').waitFor();
  });
});

describe('the network', () => {
  it('distinguishes an unknown host name from a network failure', async () => {
    const answer = await desk.desktop.page.evaluate(() =>
      window.caregate.signInInfo({ address: 'https://clinic.invalid' }),
    );
    expect(answer).toMatchObject({ ok: false, problem: { kind: 'addressNotFound' } });
  });

  it('can be cancelled while it is slow', async () => {
    const asked = new Promise<Socket>((resolve) => {
      desk.service.respondWith((request, response) => {
        // The window asks who is at the desk by itself.
        if (request.url?.endsWith('/SLOW-1') === true) resolve(request.socket);
        else emptyTeam(request, response);
      });
    });
    const answer = desk.desktop.page.evaluate(() =>
      window.caregate.read({
        ...{ operation: 'resolveUser', call: 'slow' },
        params: { clientUserId: 'SLOW-1' },
      }),
    );
    const socket = await asked;
    const closed = once(socket, 'close');
    await desk.desktop.page.evaluate(() => window.caregate.cancel({ call: 'slow' }));
    expect(await answer).toMatchObject({ problem: { kind: 'cancelled' } });
    await closed;
  });
});

describe('two look-ups at once', () => {
  it('and an answer about another patient is refused', async () => {
    const { page } = desk.desktop;
    desk.service.respondWith((request, response) => {
      if (request.url?.startsWith('/v2/user/?') === true) emptyTeam(request, response);
      else json(response, 200, userOf('SOMEONE-ELSE'));
    });
    const field = page.getByLabel('Name, DOB, phone, or MRN');
    await field.fill('MRN-1');
    await field.press('Enter');
    await page.getByRole('alert').getByText('invalid response').waitFor();
    await page.getByText('request-1').waitFor();
    expect(await page.textContent('body')).not.toContain('SOMEONE-ELSE');
  });

  it('all within the page policy', () => {
    expect(desk.desktop.faults).toEqual([]);
  });
});
