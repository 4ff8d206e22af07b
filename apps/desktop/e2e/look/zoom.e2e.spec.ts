import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { connectTo, eventually, look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { ENROLMENT_CODE } from '../support/fake-sign-in.testing.ts';
import { resize } from '../support/layout.testing.ts';
import { findField, open, openOrder, openPerson } from '../support/steps.testing.ts';
import type { Step } from '../support/steps.testing.ts';
import { signedInDesk, signIn } from '../support/signed-in-desk.testing.ts';
import { waitForText } from '../support/state-walk.testing.ts';

const desk = signedInDesk(() => everything);
let desktop: Desktop;
let page: Page;

beforeAll(async () => {
  ({ desktop, page } = desk);
  await resize(desktop, { width: 1280, height: 800, zoom: 1 });
});
beforeEach(async () => {
  await page.evaluate(() => window.caregate.changeSettings({ zoom: 'reset' }));
  await untilZoom(100);
});

/** Until every window is so large, and the setting says so. */
async function untilZoom(wanted: number): Promise<void> {
  await eventually(`a zoom of ${String(wanted)}`, async () => {
    const factors = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((one) => Math.round(one.webContents.getZoomFactor() * 100)),
    );
    const state = await page.evaluate(() => window.caregate.state({}));
    const holds = state.ok && state.value.settings.zoom === wanted;
    return holds && factors.every((factor) => factor === wanted) ? true : undefined;
  });
}

const gates: Readonly<Record<string, () => Promise<unknown>>> = {
  'the sign-in': async () => {
    await page.evaluate(() => window.caregate.signOut({}));
    await connectTo(page, desk.service.address, ENROLMENT_CODE);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  },
  Find: () => signIn(desktop, desk.service),
  'the lock': async () => {
    await page.keyboard.press('Control+l');
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  },
};

describe('zoom by keys', () => {
  it('works at the sign-in, on Find and at the lock', async () => {
    for (const come of Object.values(gates)) {
      await come();
      for (const [pressed, zoom] of [
        ['Control++', 110],
        ['Control+-', 100],
        ['Control+=', 110],
        ['Control+0', 100],
      ] as const) {
        await page.keyboard.press(pressed);
        await untilZoom(zoom);
      }
    }
  });

  it('is listed in the shortcuts and in the settings', async () => {
    await page.keyboard.press('F1');
    await page.getByRole('dialog').getByText('Ctrl +').waitFor();
    await page.keyboard.press('Escape');
    await open('Settings')(page);
    const group = page.getByRole('group', { name: 'Zoom' });
    await group.getByText('100%', { exact: true }).waitFor();
    await group.getByRole('button', { name: 'Zoom in' }).click();
    await group.getByText('110%').waitFor();
    await untilZoom(110);
  });
});

/** Every screen of somebody who is signed in, with everything that it has. */
const screens: Readonly<Record<string, { come: Step; shows: string; isOfPerson?: true }>> = {
  Find: {
    come: async (given) => {
      await open('Find')(given);
      await given.getByLabel(findField).fill('amara');
    },
    shows: '2 patients',
  },
  Overview: { come: () => Promise.resolve(), shows: 'Larkspur', isOfPerson: true },
  Labs: { come: openOrder, shows: 'Ferritin', isOfPerson: true },
  Insurance: { come: open('Insurance'), shows: 'MEMBER-77', isOfPerson: true },
  Settings: { come: open('Settings'), shows: 'Scanner prefixes' },
  About: { come: open('About'), shows: 'Versions' },
};

const languages = ['en', 'es', 'ar'] as const;
/** Each screen in one language: its text is longest in Spanish, and its layout differs most in Arabic. */
const inLanguages = Object.entries(screens).map(([name, screen], place) => ({
  ...{ name, screen, language: languages[place % languages.length]! },
}));

describe('at 200 % in 1280 x 800', () => {
  it.each(inLanguages)(
    '$name in $language is not cut, and says whose data it shows',
    async ({ screen, language }) => {
      await openPerson(page);
      await screen.come(page);
      await waitForText(page, screen.shows);
      await look(page, { theme: 'light', language });
      for (let zoom = 0; zoom < 5; zoom += 1) await page.keyboard.press('Control++');
      await untilZoom(200);
      await page.waitForFunction(() => innerWidth === 640 && innerHeight === 400);
      // What stays is whole, and nothing of the page has to be scrolled to the side to be read.
      const cut = await page.evaluate(() => {
        const parts = ['aside', 'aside > nav', 'footer', 'main', 'section', 'div:has(> main)'];
        return parts.filter((part) => {
          const element = document.querySelector(
            part === 'section' ? ':has(> main) > section' : part,
          );
          if (element === null) return false;
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
          const scrolls = part === 'aside' || part.startsWith('div');
          return scrollWidth > clientWidth || (!scrolls && scrollHeight > clientHeight);
        });
      });
      expect(cut).toEqual([]);
      // However far it is scrolled, a screen of a person says whose data it is.
      const top = await page.evaluate(() => {
        document.querySelector('main')!.scrollIntoView({ block: 'end' });
        const who = document.querySelector(':has(> main) > section > :first-child');
        return who?.getBoundingClientRect().top;
      });
      expect(top).toBe(screen.isOfPerson === true ? 0 : undefined);
    },
  );
});

/** As if the window came to the front again and again: main asks then whether the service is there. */
async function untilAsked(holds: () => Promise<boolean>): Promise<void> {
  await eventually('what the service says', async () => {
    await desktop.app.evaluate(({ app }) => app.emit('browser-window-focus'));
    return (await holds()) || undefined;
  });
}

describe('a lost connection at 200 %', () => {
  it('stays visible at the top and at the end of the page', async () => {
    await open('About')(page);
    for (let zoom = 0; zoom < 5; zoom += 1) await page.keyboard.press('Control++');
    await untilZoom(200);
    await desk.service.stop();
    const lost = page.getByRole('status').getByText('Connection lost');
    await untilAsked(() => lost.isVisible());
    for (const end of ['start', 'end'] as const) {
      await page.evaluate((block) => {
        document.querySelector('main')!.scrollIntoView({ block });
      }, end);
      const box = (await lost.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(400);
    }
    await desk.service.again();
    await untilAsked(() => lost.isHidden());
  });
});
