import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { eventually, launch, advanceClock, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import { signIn } from '../support/signed-in-desk.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

/** As if the window came to the front: main asks once two seconds have gone by since the last question. */
const askSoon = ({ app }: Desktop): Promise<unknown> =>
  app.evaluate(({ app: main }) => main.emit('browser-window-focus'));

describe('while nobody asks for anything', () => {
  it('a service that stops, and one that is back, is told', async () => {
    const first = await startDemo();
    const desktop = await launch({ readyFile: first.readyFile });
    const { page } = desktop;
    await page.evaluate(() => window.caregate.signInToDemo({ role: 'front_desk' }));
    await untilFind(page);
    await page.getByText('Connected', { exact: true }).waitFor();
    await first.stop();
    await askSoon(desktop);
    await page.getByText('Not connected', { exact: true }).waitFor();
    await page.getByRole('status').getByText('Connection lost').waitFor();
    // Somebody else's connection may have got the port in the meantime, for a while.
    const again = await eventually('the service is back', () =>
      startDemo('--port', new URL(first.address).port).catch(() => undefined),
    );
    await askSoon(desktop);
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

  startedDesk(
    startFake,
    async (there) => {
      ({ desktop, service } = there);
      service.respondWith((request, response) => {
        if (request.url === '/readyz') asked.push(request.headers);
        emptyTeam(request, response);
      });
      await signIn(desktop, service);
    },
    () => ({ stubs: true }),
  );

  const untilRequested = async (what: string): Promise<boolean> => {
    const before = asked.length;
    return eventually(what, async () => {
      await askSoon(desktop);
      return asked.length > before || undefined;
    });
  };

  it('goes without the key', async () => {
    await untilRequested('the first question');
    for (const headers of asked) expect(Object.keys(headers)).not.toContain('x-service-api-key');
    expect(JSON.stringify(asked)).not.toContain('cg_live');
  });

  it('is not asked while the window is hidden, and at once when it comes back', async () => {
    const { app } = desktop;
    /** Has main look so often whether to ask, a minute later each time by its own clock. */
    const look = (times: number): Promise<void> =>
      app.evaluate(({ app: main }, often) => {
        const now = performance.now.bind(performance);
        for (let minute = 1; minute <= often; minute += 1) {
          performance.now = () => now() + minute * 60_000;
          main.emit('browser-window-focus');
        }
      }, times);
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.hide();
    });
    const hidden = asked.length;
    await look(20);
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.show();
    });
    await look(1);
    await eventually('the question of a window that is back', () =>
      Promise.resolve(asked.length > hidden || undefined),
    );
    // One at a time: what was asked before is here by now. One may have been on its way to begin with.
    expect(asked.length - hidden).toBeLessThanOrEqual(2);
  });

  it('does not hold off the lock', async () => {
    const { app, page } = desktop;
    await advanceClock(app, 3);
    await untilRequested('a question while nobody is at the desk');
    await advanceClock(app, 2.5);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  });
});
