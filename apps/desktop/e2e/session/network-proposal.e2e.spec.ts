import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { json, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';

/** A first run in a network whose DNS names a service: anybody on the network may have written it. */
let service: FakeService;
let desktop: Desktop | undefined;

beforeEach(async () => {
  service = await startFake({ tls: true });
});
afterEach(async () => {
  expect(desktop?.faults).toEqual([]);
  await desktop?.close();
  await service.stop();
});

async function start(): Promise<Desktop> {
  const env = {
    USERDNSDOMAIN: 'clinic.example',
    DESKTOP_DNS: `_caregate._tcp.clinic.example 127.0.0.1 ${new URL(service.address).port}`,
  };
  desktop = await launch({ stubs: true, env });
  return desktop;
}

describe('what the network proposes', () => {
  it('is shown, asked nothing before somebody confirms it, and trusted no more than what is typed', async () => {
    const { page } = await start();
    const field = page.getByLabel("Clinic's Caregate address");
    await page.getByRole('status').getByText(service.address).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(service.count()).toBe(0);
    await page.getByRole('button', { name: 'Use this address' }).click();
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe(service.address);
    expect(service.count()).toBe(0);
    await page.keyboard.press('Enter');
    // Its certificate is one that nobody vouches for.
    await page.getByText("This computer doesn't trust the service's certificate.").waitFor();
    expect(service.count()).toBe(0);
  });
});

it('a first run says when desk and service are too far apart, what is needed, and whom to ask; and goes on where they fit', async () => {
  const old = await startFake();
  const speaks = (newest: number, oldest: number): void => {
    old.respondWith((_request, response) => {
      json(response, 200, {
        ...{ clinic_name: null, clinic_time_zone: null, provider: null, keys: true },
        ...{ pin: { min: 6, max: 12 }, lock_minutes: 5, session_hours: 12 },
        ...{ desk_interface: newest, oldest_desk_interface: oldest },
      });
    });
  };
  const { page } = await start();
  const address = page.getByLabel("Clinic's Caregate address");
  await address.fill(old.address);
  speaks(9, 7);
  await address.press('Enter');
  await page
    .getByText(
      "This desk is too old for the clinic's service: it has interface version 1, and the service needs 7. Ask your IT team for a newer version of Caregate on this computer.",
    )
    .waitFor();
  speaks(9, 1);
  await address.press('Enter');
  await page.getByLabel('Staff key').first().waitFor();
  await old.stop();
});
