import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';

let service: FakeService;
let desktop: Desktop;

beforeAll(async () => {
  service = await startFake();
  desktop = await launch();
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});

function speaks(newest: number, oldest: number): void {
  service.respondWith((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ clinic_name: null, clinic_time_zone: null, provider: null, keys: true },
        ...{ pin: { min: 6, max: 12 }, lock_minutes: 5, session_hours: 12 },
        ...{ desk_interface: newest, oldest_desk_interface: oldest },
      }),
    );
  });
}

describe('the first run', () => {
  it('says when desk and service are too far apart, what is needed, and whom to ask; and goes on where they fit', async () => {
    const { page, faults } = desktop;
    const address = page.getByLabel("Clinic's Caregate address");
    await address.fill(service.address);
    speaks(9, 7);
    await address.press('Enter');
    await page
      .getByText(
        "This desk is too old for the clinic's service: it speaks interface 1, and the service needs 7. Ask your IT team for a newer version of Caregate on this computer.",
      )
      .waitFor();
    // A desk that has its address already is told on the way in.
    const looked = await page.evaluate(
      (at) => window.caregate.lookUpService({ address: at }),
      service.address,
    );
    expect(looked).toMatchObject({ problem: { kind: 'deskTooOld' } });
    speaks(9, 1);
    await address.press('Enter');
    await page.getByLabel('Staff key').first().waitFor();
    expect(faults).toEqual([]);
  });
});
