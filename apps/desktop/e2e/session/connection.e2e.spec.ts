import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { eventually, launch, advanceClock, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { startDemo } from '../support/service.testing.ts';

describe('while nobody asks for anything', () => {
  it('a service that stops, and one that is back, is told', async () => {
    const first = await startDemo();
    const desktop = await launch({ readyFile: first.readyFile });
    const { page } = desktop;
    await page.evaluate(() => window.caregate.signInToDemo({ role: 'front_desk' }));
    await untilFind(page);
    await page.getByText('Connected', { exact: true }).waitFor();
    await first.stop();
    await page.getByText('Not connected', { exact: true }).waitFor();
    await page.getByRole('status').getByText('Connection lost').waitFor();
    // Somebody else's connection may have got the port in the meantime, for a while.
    const again = await eventually('the service is back', () =>
      startDemo('--port', new URL(first.address).port).catch(() => undefined),
    );
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    expect(desktop.faults).toEqual([]);
    await desktop.close();
    await again.stop();
  });
});

describe('the question', () => {
  let service: FakeService;
  let desktop: Desktop;
  const asked: IncomingMessage['headers'][] = [];

  beforeAll(async () => {
    service = await startFake();
    service.respondWith((request, response) => {
      if (request.url === '/readyz') asked.push(request.headers);
      emptyTeam(request, response);
    });
    desktop = await launch({ stubs: true });
    await desktop.page.evaluate(
      (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
      service.address,
    );
    await untilFind(desktop.page);
  });
  afterAll(async () => {
    await desktop.close();
    await service.stop();
  });
  afterEach(() => {
    expect(desktop.faults).toEqual([]);
  });

  const untilRequested = (what: string): Promise<boolean> => {
    const before = asked.length;
    return eventually(what, () => Promise.resolve(asked.length > before || undefined));
  };

  it('goes without the key', async () => {
    await untilRequested('the first question');
    for (const headers of asked) expect(Object.keys(headers)).not.toContain('x-service-api-key');
    expect(JSON.stringify(asked)).not.toContain('cg_live');
  });

  it('is not asked while the window is hidden, and at once when it comes back', async () => {
    const { app } = desktop;
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.hide();
    });
    const hidden = asked.length;
    // Long enough ago for the next question, and two rounds of the second in which main looks whether to ask.
    await advanceClock(app, 0.5);
    await app.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2500)));
    expect(asked.length - hidden).toBeLessThanOrEqual(1);
    const shown = untilRequested('the question of a window that is back');
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.show();
    });
    await shown;
  });

  it('does not hold off the lock', async () => {
    const { app, page } = desktop;
    await advanceClock(app, 3);
    await untilRequested('a question while nobody is at the desk');
    await advanceClock(app, 2.5);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  });
});
