import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { eventually, advanceClock } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { signIn } from '../support/signed-in-desk.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

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

/** As if the window came to the front: main asks once two seconds have gone by since the last question. */
const askSoon = (): Promise<unknown> =>
  desktop.app.evaluate(({ app }) => app.emit('browser-window-focus'));

async function untilRequested(): Promise<void> {
  const before = asked.length;
  await eventually('a question', async () => {
    await askSoon();
    return asked.length > before || undefined;
  });
}

describe('while nobody asks for anything, the service', () => {
  it('is polled without the session; its stop and return are shown', async () => {
    const { page } = desktop;
    await untilRequested();
    for (const headers of asked) expect(Object.keys(headers)).not.toContain('authorization');
    expect(JSON.stringify(asked)).not.toContain('cg_sess');
    await page.getByText('Connected', { exact: true }).waitFor();
    await service.stop();
    await askSoon();
    await page.getByRole('status').getByText('Connection lost').waitFor();
    await service.again();
    await askSoon();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
  });

  it('is not polled while the window is hidden, and at once when it is shown', async () => {
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
    const show = (how: 'hide' | 'show'): Promise<void> =>
      app.evaluate(({ BrowserWindow }, does) => BrowserWindow.getAllWindows()[0]?.[does](), how);
    await show('hide');
    const hidden = asked.length;
    await look(20);
    await show('show');
    await look(1);
    await eventually('the question of a window that is back', () =>
      Promise.resolve(asked.length > hidden || undefined),
    );
    // One at a time: what was asked before is here by now. One may have been on its way to begin with.
    expect(asked.length - hidden).toBeLessThanOrEqual(2);
  });

  it('is polled without delaying the lock', async () => {
    await advanceClock(desktop.app, 3);
    await untilRequested();
    await advanceClock(desktop.app, 2.5);
    await desktop.page.getByRole('heading', { name: 'Locked' }).waitFor();
  });
});
