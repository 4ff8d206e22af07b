import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { launch, untilFind, type Desktop } from './desktop.testing.ts';
import { emptyTeam, startFake, type FakeService, type Responder } from './fake-service.testing.ts';

/** A window and the service that it is signed in to; there from the first test on. */
export interface SignedInDesk {
  readonly desktop: Desktop;
  readonly service: FakeService;
}

/**
 * One window and one fake service for the tests of a file: each test begins signed in, under Find, and ends signed out.
 *
 * @param respond what the service answers at the start of each test; by default a team without people
 * @param mayReportFaults whether the window may report errors of its own: where what is answered is wrong on purpose
 */
export function signedInDesk(
  respond: (service: FakeService) => Responder = () => emptyTeam,
  { mayReportFaults = false }: { readonly mayReportFaults?: boolean } = {},
): SignedInDesk {
  const desk: { desktop?: Desktop; service?: FakeService } = {};
  const there = desk as SignedInDesk;
  beforeAll(async () => {
    desk.desktop = await launch();
    desk.service = await startFake();
  });
  afterAll(async () => {
    await desk.desktop?.close();
    await desk.service?.stop();
  });
  beforeEach(async () => {
    const { desktop, service } = there;
    service.respondWith(respond(service));
    await desktop.page.evaluate(
      (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
      service.address,
    );
    await untilFind(desktop.page);
  });
  afterEach(async () => {
    await there.desktop.page.evaluate(() => window.caregate.signOut({}));
    if (!mayReportFaults) {
      expect(there.desktop.faults).toEqual([]);
    }
  });
  return there;
}
