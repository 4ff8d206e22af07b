import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ElectronApplication, Page } from 'playwright-core';
import { look, patienceMs, startElectron } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { resize } from '../support/layout.testing.ts';
import { differences } from '../support/mock-likeness.testing.ts';
import type { Region } from '../support/mock-likeness.testing.ts';
import { PEOPLE } from '../support/people-states.testing.ts';
import { enterPeopleState } from '../support/people-steps.testing.ts';
import { noService, startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';
import { enterState, walkedDesk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';
import { MORE, open, openDetails, openOrder, openPerson } from '../support/states.testing.ts';
import type { State } from '../support/states.testing.ts';

/** Each screen beside its drawing, in `mocks/`: light and dark, and as Arabic is read. */
interface Screen {
  readonly mock: string;
  readonly regions: Readonly<Record<string, Region>>;
  /** How much of the window must have the drawn ground. */
  readonly ground?: number;
  /** What another language makes anew. */
  readonly ready?: string;
}

const shell = {
  sidebar: { mock: '.side', desk: '[class*=_side_]' },
  work: { mock: '.work', desk: '[class*=_work_]' },
  'the one at the desk': { mock: '.me', desk: '[class*=_me_]', edges: 'tb' },
};
const withPerson = {
  ...shell,
  'the way to Find': { mock: '.seek', desk: '[class*=_seek_]' },
  name: { mock: '.person h1', desk: '[class*=_header_] h1', edges: 'lt' },
  tabs: { mock: '.tabs', desk: '[class*=_tabs_]', edges: 'tb' },
};
const find = {
  ...shell,
  field: { mock: '.field', desk: 'main form' },
  keys: { mock: '.keys', desk: '[class*=_keys_]' },
};
const orders = { mock: '.orders', desk: '[class*=_pane_]' };

const addedToToday: State = {
  come: async (page) => {
    await openDetails(page);
    await page.getByRole('button', { name: 'Add to Today' }).click();
    await page.keyboard.press('Control+k');
    // What was said about it lies over the keys.
    await page.getByText('Added to Today').last().waitFor({ state: 'detached' });
  },
  says: '1 of 1 still to come',
};

/** No drawing of its own: what it has around it is that of one that has. */
const asOthers = (name: string, says: string): Screen & { readonly state: State } => ({
  mock: 'overview',
  state: { before: openDetails, come: open(name), says },
  regions: withPerson,
  // Without Overview's second pane.
  ground: 0.6,
});
const alone = (name: string, says: string): Screen & { readonly state: State } => ({
  mock: 'scan-unknown',
  state: { come: open(name), says },
  regions: { ...shell, 'the way to Find': withPerson['the way to Find'] },
});

const screens: Readonly<Record<string, Screen & { readonly state: State }>> = {
  'Find, empty': {
    mock: 'find-empty',
    state: addedToToday,
    regions: {
      ...find,
      today: { mock: '.cols > section', desk: '[class*=_morning_] > section' },
      heads: { mock: 'thead', desk: '[class*=_morning_] [class*=_head_]' },
      'first row': { mock: 'tbody tr', desk: '[class*=_morning_] ol > li' },
      waiting: { mock: '.aside', desk: '[class*=_morning_] > aside' },
    },
  },
  'Find, with results': {
    mock: 'find',
    state: MORE['Find: one of two of one name']!,
    regions: {
      ...find,
      list: { mock: '.list', desk: '[class*=_split_] > section', edges: 'ltb' },
      pane: { mock: '.peek', desk: '[class*=_check_]', edges: 'trb' },
      open: { mock: '.peek .main', desk: '[class*=_check_] [class*=_main_]', edges: 'r' },
    },
  },
  'Find, of one name': {
    mock: 'find-twins',
    state: MORE['Find: people of one name and birth date']!,
    regions: {
      ...find,
      list: { mock: '.cols > section', desk: '[class*=_split_] > section' },
      pane: { mock: '.aside', desk: '[class*=_check_]' },
      warning: { mock: '.who', desk: '[class*=_warning_]', edges: 'lr' },
      answers: { mock: '.pick button', desk: '[class*=_answers_] button', edges: 'lr' },
    },
  },
  'a scan under way': {
    mock: 'scan-pending',
    state: MORE['Find: a scan under way']!,
    regions: {
      ...shell,
      head: { mock: '.look', desk: '.bleed > [class*=_top_]' },
      cancel: { mock: '.look button', desk: '.bleed button', edges: 'rt' },
      shape: { mock: '.ov > div', desk: '.bleed [class*=_body_] > div', edges: 'lr' },
      keys: find.keys,
    },
  },
  'a scan that nobody has': {
    mock: 'scan-unknown',
    state: MORE['Find: a scan that nobody has']!,
    regions: {
      ...shell,
      code: { mock: '.code', desk: '[class*=_code_]', edges: '' },
      actions: { mock: '.ctr .line', desk: '[class*=_actions_]', edges: '' },
      keys: find.keys,
    },
  },
  Overview: {
    mock: 'overview',
    state: { come: openPerson, says: 'Larkspur' },
    regions: {
      ...withPerson,
      reports: { mock: '.ov > div', desk: '[class*=_overview_] > div' },
      'next result': { mock: '.ov section', desk: '[class*=_overview_] section', edges: 'ltr' },
      course: { mock: '.course', desk: '[class*=_course_]', edges: 'ltr' },
      contact: { mock: '.ov > :last-child', desk: '[class*=_overview_] > aside' },
    },
  },
  Labs: {
    mock: 'person-labs',
    state: { before: openDetails, come: openOrder, says: 'Tilda Marrowby' },
    regions: {
      ...withPerson,
      orders,
      report: { mock: '.rep', desk: '[class*=_report_]' },
      'the open order': {
        mock: '.ord.on',
        desk: '[class*=_list_] [aria-current=true]',
        edges: 'lr',
      },
      print: { mock: '.rh .edge', desk: '[class*=_report_] header button:last-child', edges: 't' },
      results: { mock: '.tb', desk: '[class*=_scroll_]', edges: 'lr' },
      foot: { mock: '.rf', desk: '[class*=_report_] footer', edges: 'lrb' },
    },
  },
  'Labs, small': {
    mock: 'labs-1024',
    state: { before: openDetails, come: openOrder, says: 'Tilda Marrowby' },
    regions: {
      work: { mock: '.work', desk: '[class*=_work_]' },
      tabs: withPerson.tabs,
      results: { mock: '.scroll', desk: '[class*=_scroll_]', edges: 'lr' },
      foot: { mock: '.foot2', desk: '[class*=_report_] footer', edges: 'lrb' },
    },
  },
  'Labs, awaited': {
    mock: 'awaited',
    state: MORE['Labs: a result that is awaited']!,
    regions: {
      ...withPerson,
      orders,
      report: { mock: '.rep', desk: '[class*=_report_]' },
      course: { mock: '.steps2', desk: '[class*=_awaited_] ol', edges: 'lt' },
    },
  },
  'Labs, compared': {
    mock: 'compare',
    state: MORE['Labs: compared with another order']!,
    regions: {
      ...withPerson,
      orders,
      heading: { mock: '.rep .line', desk: '[class*=_comparison_] > div' },
      table: { mock: '.cmp', desk: '[class*=_comparison_] table', edges: 'ltr' },
    },
  },
  'Insurance, printed': {
    mock: 'insurance-print',
    state: MORE['Insurance: to be printed']!,
    regions: {
      ...withPerson,
      screen: { mock: '.main', desk: 'main', edges: 'ltrb' },
      panel: { mock: '.print', desk: '[class*=_panel_]' },
      preview: { mock: '.desk', desk: '[class*=_preview_]', edges: 'ltr' },
      page: { mock: '.a4', desk: '[class*=_sheet_]', edges: 'lr' },
    },
    ready: '[class*=_sheet_] canvas',
  },
  Insurance: asOthers('Insurance', 'MEMBER-77'),
  Activity: asOthers('Activity', 'fitbit'),
  Details: asOthers('Details', 'Fitbit'),
  Recents: alone('Recents', 'Nobody yet.'),
  Settings: alone('Settings', 'Colours'),
  About: alone('About', 'Licences'),
};

const people: Readonly<Record<string, Screen & { readonly state: keyof typeof PEOPLE }>> = {
  'the lock': {
    mock: 'sign-in-lock.html#lock',
    state: 'Lock: four people',
    regions: {
      cards: { mock: '.cards', desk: '[class*=_cards_]' },
      'whose PIN': { mock: '.card.is', desk: '[aria-pressed=true]' },
      'another card': { mock: '.card:nth-child(2)', desk: 'li:nth-child(2) [aria-pressed]' },
      PIN: { mock: '.boxes', desk: '[class*=_boxes_]', edges: 'tb' },
      badge: { mock: '.or', desk: '[class*=_badge_]' },
    },
  },
  'the first run': {
    mock: 'sign-in-lock.html#first-run',
    state: 'Connect: the first run',
    regions: {
      steps: { mock: '.steps', desk: '[class*=_steps_]', edges: 'lr' },
      form: { mock: '.form', desk: '[class*=_card_]', edges: 'lr' },
    },
  },
  'a desk removed': {
    mock: 'desk-revoked',
    state: 'Enrol: revoked',
    regions: {
      form: { mock: '.form', desk: '[class*=_card_]', edges: 'lr' },
      code: { mock: '.boxes', desk: '[class*=_boxes_]', edges: 'lr' },
    },
  },
  'who saw a person': {
    mock: 'auditor-person',
    state: 'Auditor: who saw a person',
    regions: {
      ...shell,
      title: { mock: 'h1', desk: 'h1', edges: 'lt' },
      records: { mock: '.tl', desk: '[class*=_split_] > section', edges: 'l' },
      who: { mock: '.aside', desk: '[class*=_split_] > aside', edges: 'r' },
      'the log': { mock: '.foot2', desk: 'footer[aria-label=Log], [class*=_logLine_]' },
    },
  },
};

let browser: ElectronApplication;
let mock: Page;

beforeAll(async () => {
  const folder = fileURLToPath(new URL('../session/browser', import.meta.url));
  browser = await startElectron([folder, `--user-data-dir=${userData}`]);
  mock = await browser.firstWindow({ timeout: patienceMs });
});
afterAll(async () => {
  await browser.close();
});
// After the hook that ends what writes there.
const userData = temporaryFolder();

const looks = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'en' },
  { theme: 'light', language: 'ar' },
] as const;

async function openMock(name: string): Promise<void> {
  const [file = '', part] = name.split('#');
  const page = new URL(`mocks/${file.endsWith('.html') ? file : `${file}.html`}`, import.meta.url);
  await mock.goto(page.href);
  await mock.evaluate((shown) => {
    for (const one of document.querySelectorAll('main > section[id]')) {
      if (shown !== undefined && one.id !== shown) one.remove();
    }
  }, part);
}

const usual = { width: 1280, height: 860, zoom: 1 };

/** What differs from the mock in each of the looks, in a window as large as the mock. */
async function differs(desktop: Desktop, name: string, screen: Screen): Promise<readonly string[]> {
  const { page } = desktop;
  const size = screen.mock.endsWith('1024') ? { width: 1024, height: 700, zoom: 1 } : usual;
  await openMock(screen.mock);
  // Under the pointer a colour is another.
  await page.mouse.move(2, 2);
  await resize({ app: browser, page: mock }, size);
  await resize(desktop, size);
  const found: string[] = [];
  for (const { theme, language } of looks) {
    await look(page, { theme, language });
    await mock.emulateMedia({ colorScheme: theme });
    await mock.evaluate(
      (dir) => {
        document.dir = dir;
      },
      language === 'ar' ? 'rtl' : 'ltr',
    );
    if (screen.ready !== undefined) await page.locator(screen.ready).waitFor();
    const at = `${name}, ${theme}, ${language}`;
    const different = await differences({ mock, desk: page }, at, screen);
    found.push(...different.map((one) => `${at}: ${one}`));
  }
  await look(page, looks[0]);
  await resize(desktop, usual);
  return found;
}

describe('a screen is as it is drawn', () => {
  const there: { readonly walk: Walk } = walkedDesk();

  it.each(Object.entries(screens))('%s', async (name, screen) => {
    await enterState(there.walk, screen.state);
    expect(await differs(there.walk.desktop, name, screen)).toEqual([]);
  });

  it('and is not where a region is moved, gone or of another colour', async () => {
    const { desktop, page } = there.walk;
    const name = 'Find, with results';
    const screen = screens[name]!;
    await enterState(there.walk, screen.state);
    const broken = {
      'sidebar: r at 240, drawn at 204': '[class*=_side_] { inline-size: 240px }',
      'pane is missing': '[class*=_check_] { display: none }',
      'sidebar is #': '[class*=_side_] { background: beige }',
      '% has the drawn ground': '[class*=_find_] * { background: beige }',
    };
    for (const [says, css] of Object.entries(broken)) {
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      expect((await differs(desktop, `broken ${name}`, screen)).join('\n')).toContain(says);
    }
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
  });
});

describe('a screen of the people at a desk is as it is drawn', () => {
  let desktop: Desktop;
  startedDesk(noService, (there) => ({ desktop } = there));

  it.each(Object.entries(people))('%s', async (name, screen) => {
    await enterPeopleState(desktop, PEOPLE[screen.state]!);
    expect(await differs(desktop, name, screen)).toEqual([]);
  });
});
