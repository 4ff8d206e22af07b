import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectTo, launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';

let service: DemoService;
let desktop: Desktop | undefined;

beforeAll(async () => {
  service = await startDemo();
});
afterAll(() => service.stop());
afterEach(async () => {
  await desktop?.close();
  desktop = undefined;
});

describe('the front desk', () => {
  it('signs in with address and key, finds the sample by keyboard alone, within the page policy', async () => {
    desktop = await launch();
    const { page, faults } = desktop;
    await connectTo(page, service.address);
    await page.getByLabel("Clinic's Caregate address").fill(service.address);
    await page.getByLabel('Staff key').fill(service.keys['front_desk']!);
    await page.keyboard.press('Enter');
    await untilFind(page);
    await page.keyboard.insertText(service.sample.client_user_id);
    await page.keyboard.press('Enter');
    const bar = page.getByRole('region', { name: 'Person' });
    await bar.getByText(service.sample.client_user_id).waitFor();
    await page.keyboard.press('Control+5');
    await page.getByText(service.sample.user_id).first().waitFor();
    expect(faults).toEqual([]);
  });
});
