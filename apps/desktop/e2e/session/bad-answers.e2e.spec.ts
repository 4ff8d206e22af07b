import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { emptyTeam, json, startFake, userOf } from '../support/fake-service.testing.ts';
import type { Responder } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

const desk = signedInDesk(undefined, { mayReportFaults: true });

function resolve(clientUserId: string): Promise<unknown> {
  return desk.desktop.page.evaluate(
    (id) => window.caregate.resolveUser({ call: 'test', clientUserId: id }),
    clientUserId,
  );
}

const problem = (status: number, headers = {}): Responder => {
  return (_request, response) => {
    json(response, status, { type: 'about:blank', title: 'No', status, detail: 'MRN-1' }, headers);
  };
};

const cases: readonly (readonly [string, string, Responder])[] = [
  ['400', 'invalid', problem(400)],
  ['403', 'forbidden', problem(403)],
  ['404', 'notFound', problem(404)],
  ['422', 'invalid', problem(422)],
  ['500', 'serverBroken', problem(500)],
  ['418', 'serverBroken', problem(418)],
  [
    'HTML with 200',
    'serverBroken',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Log in to the network</title>');
    },
  ],
  [
    'half a JSON',
    'serverBroken',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"user_id": "1111');
    },
  ],
  [
    'a problem document with 200',
    'serverBroken',
    (_request, response) => {
      json(response, 200, { type: 'about:blank', title: 'No', status: 404 });
    },
  ],
  [
    'a user without a time zone',
    'serverBroken',
    (_request, response) => {
      json(response, 200, { ...userOf('MRN-1'), fallback_time_zone: null });
    },
  ],
  [
    'a redirect',
    'serverBroken',
    (_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' });
      response.end();
    },
  ],
  [
    'bytes that are no text',
    'serverBroken',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    },
  ],
];

describe('an answer that is', () => {
  it.each(cases)('%s is told as %s', async (_name, kind, how) => {
    desk.service.respondWith(how);
    const answer = await resolve('MRN-1');
    expect(answer).toMatchObject({ ok: false, problem: { kind, operation: 'resolveUser' } });
    expect(JSON.stringify(answer)).not.toContain('MRN-1');
  });

  it('429 tells how long to wait', async () => {
    desk.service.respondWith(problem(429, { 'retry-after': '7' }));
    expect(await resolve('MRN-1')).toMatchObject({ problem: { kind: 'busy', retryAfter: 7 } });
  });

  it('right comes with the ids of its request and its audit record', async () => {
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

  it('401 in the middle signs out and says why', async () => {
    // What the desk asks by itself may not be refused first.
    desk.service.respondWith((request, response) => {
      problem(request.url?.includes('/resolve/') === true ? 401 : 404)(request, response);
    });
    expect(await resolve('MRN-1')).toMatchObject({ problem: { kind: 'expired' } });
    await desk.desktop.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await desk.desktop.page.getByText('no longer accepted').waitFor();
  });
});

describe('the network', () => {
  it('gone is told as offline, in the status bar too', async () => {
    const other = await startFake();
    const { page } = desk.desktop;
    await page.evaluate(
      (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
      other.address,
    );
    await other.stop();
    expect(await resolve('MRN-1')).toMatchObject({ problem: { kind: 'offline' } });
    await page.getByText('Not connected').waitFor();
  });

  it('with a certificate nobody vouches for is refused and named', async () => {
    const tls = await startFake({ tls: true });
    const answer = await desk.desktop.page.evaluate(
      (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
      tls.address,
    );
    expect(answer).toMatchObject({ ok: false, problem: { kind: 'untrustedCertificate' } });
    expect(tls.count()).toBe(0);
    await tls.stop();
  });

  it('with a name that leads nowhere is told from a network that is down', async () => {
    const answer = await desk.desktop.page.evaluate(() =>
      window.caregate.lookUpService({ address: 'https://clinic.invalid' }),
    );
    expect(answer).toMatchObject({ ok: false, problem: { kind: 'addressNotFound' } });
  });

  it('slow can be given up', async () => {
    const asked = new Promise<Socket>((resolve) => {
      desk.service.respondWith((request, response) => {
        // The window asks who is at the desk by itself.
        if (request.url?.endsWith('/SLOW-1') === true) resolve(request.socket);
        else emptyTeam(request, response);
      });
    });
    const answer = desk.desktop.page.evaluate(() =>
      window.caregate.resolveUser({ call: 'slow', clientUserId: 'SLOW-1' }),
    );
    const socket = await asked;
    const closed = once(socket, 'close');
    await desk.desktop.page.evaluate(() => window.caregate.cancel({ call: 'slow' }));
    expect(await answer).toMatchObject({ problem: { kind: 'cancelled' } });
    await closed;
  });
});

describe('two look-ups at once', () => {
  it('never show one person under the name of the other, whichever answers first', async () => {
    const { page } = desk.desktop;
    const slow = new Promise<ServerResponse>((hold) => {
      desk.service.respondWith((request, response) => {
        const id = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
        if (request.url?.startsWith('/v2/user/?') === true) emptyTeam(request, response);
        else if (id === 'SLOW-1') hold(response);
        else json(response, 200, userOf(id));
      });
    });
    const field = page.getByLabel('Name, birth date, phone or id');
    await field.fill('SLOW-1');
    await field.press('Enter');
    const given = once(await slow, 'close');
    await field.fill('FAST-2');
    await field.press('Enter');
    const bar = page.getByRole('region', { name: 'Person' });
    await bar.getByText('FAST-2').waitFor();
    // The first was given up: no answer to it can come any more.
    await given;
    expect(await bar.textContent()).toContain('FAST-2');
    expect(await bar.textContent()).not.toContain('SLOW-1');
  });

  it('and an answer about someone else is refused', async () => {
    const { page } = desk.desktop;
    desk.service.respondWith((request, response) => {
      if (request.url?.startsWith('/v2/user/?') === true) emptyTeam(request, response);
      else json(response, 200, userOf('SOMEONE-ELSE'));
    });
    const field = page.getByLabel('Name, birth date, phone or id');
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
