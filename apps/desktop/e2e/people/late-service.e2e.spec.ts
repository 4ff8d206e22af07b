import { afterEach, expect, it } from '@jest/globals';
import { connectTo, launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startFake } from '../support/fake-service.testing.ts';
import { ENROLMENT_CODE } from '../support/fake-sign-in.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** A desk that is up before its clinic's network or service: on a slow machine, or early in the morning. */
const userData = temporaryFolder();
let desktop: Desktop;

afterEach(() => desktop.close());

it('signs in by the provider once the service answers, by itself', async () => {
  const service = await startFake();
  desktop = await launch({ userData, stubs: true });
  await connectTo(desktop.page, service.address, ENROLMENT_CODE);
  await desktop.close();
  await service.stop();
  desktop = await launch({ userData, stubs: true });
  const { page } = desktop;
  await page.getByText('This desk keeps trying').waitFor();
  await page.getByRole('alert').getByText("The service can't be reached.").waitFor();
  await service.again();
  await page.getByRole('button', { name: 'Sign in with Harbourside' }).waitFor();
  expect(desktop.faults).toEqual([]);
  await service.stop();
});
