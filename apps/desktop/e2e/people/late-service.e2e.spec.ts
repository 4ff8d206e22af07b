import { afterEach, expect, it } from '@jest/globals';
import { launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, json, startFake } from '../support/fake-service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** A desk that is up before its clinic's network or service: on a slow machine, or early in the morning. */
const userData = temporaryFolder();
let desktop: Desktop;

afterEach(() => desktop.close());

it('signs in by the provider once the service answers, by itself; whoever types a key is left with it', async () => {
  const service = await startFake();
  const provider = {
    issuer: 'https://id.example',
    client_id: 'c',
    scopes: [],
    name: 'Harbourside',
  };
  service.respondWith((request, response) => {
    if (request.url === '/access/sign-in') {
      json(response, 200, { provider, keys: true, pin: { min: 6, max: 6 } });
    } else if (request.url === '/access/desks') {
      json(response, 200, { desk_id: 'd-1', name: 'Desk 1' });
    } else emptyTeam(request, response);
  });
  desktop = await launch({ userData, stubs: true });
  const enrolled = await desktop.page.evaluate(
    (address) => window.caregate.enrolDesk({ address, code: 'ABCDE23456' }),
    service.address,
  );
  expect(enrolled).toMatchObject({ ok: true, value: { enrolled: true } });
  for (const types of [true, false]) {
    await desktop.close();
    await service.stop();
    desktop = await launch({ userData, stubs: true });
    const { page } = desktop;
    await page.getByText('This desk keeps trying').waitFor();
    await page.getByRole('alert').getByText("The service can't be reached.").waitFor();
    if (types) await page.getByRole('button', { name: 'Use a staff key' }).click();
    if (types) await page.getByLabel('Staff key').waitFor();
    await service.again();
    if (types) await page.getByRole('button', { name: 'Use the browser' }).click();
    await page.getByRole('button', { name: 'Sign in with Harbourside' }).waitFor();
    expect(desktop.faults).toEqual([]);
  }
  await service.stop();
});
