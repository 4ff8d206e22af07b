import * as answers from './answers.testing.ts';
import { LOADING } from './desktop.testing.ts';
import type { Responder } from './fake-service.testing.ts';
import { lockAnew, resetShell } from './signed-in-desk.testing.ts';
import { waitForText } from './state-walk.testing.ts';
import {
  findField,
  open,
  openAtInsurance,
  openAtLabs,
  openOrder,
  openPerson,
  refresh,
  scan,
  type,
} from './steps.testing.ts';
import type { Step } from './steps.testing.ts';

/** A state of a screen: the steps to it after the sign-in, and what it must show. */
export interface State {
  readonly name: string;
  /** Runs while the service answers all requests, or answers as `first` does. */
  readonly before?: Step;
  readonly first?: Responder;
  /** How the service answers after `before`. `gone` means that it has stopped. */
  readonly how?: Responder | 'gone';
  readonly come: Step;
  readonly says: string | RegExp;
  /** Whether the request ID of the answer is shown. */
  readonly request?: boolean;
  /** The text after "Try again", when the service answers all requests. */
  readonly retry?: string;
  /** Texts that the page must not contain. */
  readonly hides?: readonly string[];
}

type Row = readonly [
  name: string,
  come: Step,
  says: string | RegExp,
  more?: Omit<State, 'name' | 'come' | 'says'>,
];

const person = { before: openAtInsurance } as const;
const longTexts = { ...person, how: answers.withLongTexts } as const;
const anothersReport = { ...person, how: answers.withAnothersResult } as const;
/** Skips Overview, which would read the insurance. */
const uninsured = { before: openAtLabs, first: answers.insuranceDown } as const;

/** Runs the steps in order. A text is a step that waits until the text is shown. */
const all =
  (...steps: readonly (Step | string)[]): Step =>
  async (page) => {
    for (const step of steps) {
      if (typeof step === 'string') await waitForText(page, step);
      else await step(page);
    }
  };
const key =
  (pressed: string): Step =>
  (page) =>
    page.keyboard.press(pressed);
const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label).fill(text);
const click =
  (role: 'button' | 'option' | 'radio', name: string): Step =>
  (page) =>
    page.getByRole(role, { name, exact: role === 'button' }).click();

interface Screen {
  readonly name: string;
  readonly before?: Partial<Pick<State, 'before' | 'first'>>;
  readonly come: Step;
  /** A text of the loaded screen. */
  readonly shows: string;
  /** Values of the patient on this screen. None may be part of a port, a time or a request ID. */
  readonly data: readonly string[];
  readonly offline?: Step;
}

/** The states of every screen that reads data. */
function commonStates({ name, before = {}, come, shows, data, offline = come }: Screen): Row[] {
  const loaded: Step = all(before.before ?? (() => Promise.resolve()), come, shows);
  return [
    [`${name}: loading`, come, LOADING, { ...before, how: answers.silent }],
    [
      `${name}: error`,
      come,
      'The service sent an invalid response.',
      { ...before, how: answers.refusing(500), retry: shows, request: true },
    ],
    [
      `${name}: forbidden`,
      come,
      "Your role can't open this. Who can: ",
      { ...before, how: answers.refusing(403), hides: data, request: true },
    ],
    [
      `${name}: offline`,
      offline,
      "The service can't be reached.",
      { ...before, how: 'gone', retry: shows },
    ],
    // The patient must not be reopened after the unlock, since the next state would start with it.
    [`${name}: locked`, lockAnew, 'Someone else', { before: loaded, hides: [...data, 'MRN-1'] }],
  ];
}

const reason = 'Why it is the right patient';
const overTime = all(openOrder, click('radio', 'Over time'));

const rows: readonly Row[] = [
  ...commonStates({
    name: 'Find',
    come: type('ashg'),
    // Without the service, nobody can unlock the desk.
    offline: fill(findField, 'ashg'),
    shows: 'Confirm patient',
    data: ['MRN-1', '07/03/1985'],
  }),
  ['Find: empty', type('ashg'), 'Nobody found for “ashg”.', { how: answers.nobodyFound }],
  ['Find: nothing typed', resetShell, 'What to type'],
  ['Find: too short', type('as'), 'Type at least 3 letters'],
  [
    'Find: two of one name, to be chosen',
    all(type('amara'), '2 patients', key('Enter')),
    'Choose a patient with ↑ ↓',
  ],
  [
    'Find: one of two of one name',
    all(type('amara'), '2 patients', key('ArrowDown')),
    '2 patients have this name',
  ],
  ['Find: the longest name', type('wolf'), 'Wolfeschlegelsteinhausen'],
  ['Find: from right to left', type('ليلى'), 'حدّاد'],
  ['Find: nameless', type('nameless'), 'Name not known yet'],
  ['Find: by sound', type('amera'), 'whose name sounds like “amera”', { how: answers.soundsLike }],
  [
    'Find: masked',
    all(type('ashg'), 'Confirm patient', key('F8')),
    '••••',
    { hides: ['MRN-1', 'Ashgrove', '07/03/1985', '41 y'] },
  ],
  [
    'Find: lab orders searched',
    type('okon'),
    'Only lab orders were searched',
    { how: answers.ordersSearched },
  ],
  ['Find: no search', type('MRN'), "can't search by name", { how: answers.noSearch }],
  [
    'Find: nobody with this id',
    all(fill(findField, 'nobody'), key('Enter'), "can't search by name", key('Enter')),
    'Nobody found for “nobody”.',
    { how: answers.refusing(404) },
  ],
  [
    'Find: people of one name and birth date',
    type('tilda'),
    'Ask for phone or town.',
    { how: answers.twins },
  ],
  [
    'Find: a scan that nobody has',
    scan('NOBODY-7'),
    'Nobody here has this code',
    { ...person, how: answers.refusing(404) },
  ],
  [
    'Find: a scan under way',
    all(scan('MRN-000123'), 'Looking up'),
    'The patient who was open before is closed.',
    { ...person, how: answers.silent },
  ],
  ['Find: somebody was open before', click('button', 'Close patient'), '07/03/1985', person],

  ...commonStates({
    name: 'Overview',
    before: {
      before: all(openPerson, async (page) => {
        // A read that is in progress would never end.
        await page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
      }),
    },
    come: refresh,
    shows: 'Larkspur',
    data: ['w.ashgrove', 'Larkspur', '555-0188'],
  }),
  ['Overview: empty', openPerson, 'No contact details are on record.', { how: answers.noInfo }],
  ['Overview: masked', key('F8'), '••••', person],
  ['Overview: no minutes', openPerson, 'No minutes in', { how: answers.noMinutes }],

  ...commonStates({
    name: 'Labs',
    before: person,
    come: open('Labs'),
    shows: 'Northern Reference Laboratory',
    data: ['Marrowby', 'Sodium', 'mmol/L', 'Pemberton', 'Northern', 'EDTA', 'Ferritin'],
  }),
  ['Labs: empty', openOrder, 'This order has no results.', { ...person, how: answers.noResults }],
  ['Labs: no order chosen', open('Labs'), 'No order is chosen.'],
  ['Labs: the report', openOrder, 'Abnormal first', person],
  ['Labs: one result', all(openOrder, click('button', 'Sodium')), 'All values', person],
  // Without a patient's header, the toolbar of Labs has its controls.
  [
    'Labs: one result, no patient',
    all(
      openOrder,
      click('button', 'Sodium'),
      'All values',
      (page) => page.getByRole('button', { name: /^Refresh/u }).waitFor(),
      (page) => page.getByRole('button', { name: /^Print/u }).waitFor(),
    ),
    'Report 05/01/2026',
  ],
  ['Labs: over time', overTime, 'Not ordered', person],
  ['Labs: over time, the longest texts', overTime, 'newest first', longTexts],
  ['Labs: the longest texts', openOrder, 'Reference range', longTexts],
  [
    'Labs: one result, the longest texts',
    all(openOrder, (page) => page.locator('tbody th button').nth(3).click()),
    'Laboratory notes',
    longTexts,
  ],
  [
    'Labs: corrected and replaced',
    openOrder,
    'A later order of this test may replace this one',
    { ...person, how: answers.withCorrection },
  ],
  [
    'Labs: corrected, with what changed',
    openOrder,
    'the earlier report said',
    { ...person, how: answers.withVersionBefore },
  ],
  [
    'Labs: earlier values not read',
    openOrder,
    'Previous values could not be read.',
    { ...person, how: answers.withoutHistory },
  ],
  [
    'Labs: no list of orders',
    openOrder,
    'This service has no list of orders.',
    { ...person, how: answers.withoutOrders },
  ],
  ['Labs: no orders', open('Labs'), 'No lab orders yet', { ...person, how: answers.noOrders }],
  [
    'Labs: two orders of one number',
    openOrder,
    'Another order has the same number.',
    { ...person, how: answers.withOrdersOfOneId },
  ],
  ['Labs: of another birth date', openOrder, 'Check who this report is about', anothersReport],
  [
    'Labs: of another birth date, not printed, too short a reason',
    all(
      ...[openOrder, 'Check who this report is about', key('Control+p'), 'Not printed.'],
      ...[fill(reason, 'Asked'), key('Enter')],
    ),
    'At least 15 visible characters',
    anothersReport,
  ],
  [
    'Labs: of another birth date, confirmed',
    all(openOrder, fill(reason, 'Saw the passport, asked for the address'), key('Enter')),
    'Identity confirmed by hand',
    anothersReport,
  ],
  [
    'Labs: a result that is awaited',
    all(openOrder, click('option', '05/20/2026')),
    'The laboratory has the sample.',
    { ...person, how: answers.withoutResult, hides: ['request-1'] },
  ],
  [
    'Labs: no such order',
    openOrder,
    'No result for the order',
    { ...person, how: answers.refusing(404) },
  ],
  [
    'Labs: to be printed',
    all(
      openOrder,
      (page) => page.getByRole('rowheader', { name: 'Sodium' }).waitFor(),
      key('Control+p'),
    ),
    'exactly as',
  ],

  ...commonStates({
    name: 'Insurance',
    before: uninsured,
    come: open('Insurance'),
    shows: 'MEMBER-77',
    data: ['PAYOR-1', 'MEMBER-77', 'GROUP-5', 'Hopper', 'Spouse'],
  }),
  [
    'Insurance: empty',
    open('Insurance'),
    'No insurance on file',
    { ...uninsured, how: answers.noInsurance },
  ],
  [
    'Insurance: to be printed',
    all(open('Insurance'), 'MEMBER-77', key('Control+p')),
    'exactly as',
    person,
  ],
  [
    'Insurance: both of them',
    open('Insurance'),
    'MEMBER-78',
    { ...uninsured, how: answers.withBothInsurances },
  ],

  ['Label: set up', key('Control+b'), 'exactly as', person],
  [
    'Label: refused under the mask',
    all(key('F8'), key('Control+b')),
    'Not printed while names are masked.',
    person,
  ],
  [
    'Settings: something wrong',
    all(...[open('Settings'), fill('Scanner prefixes', 'x'.repeat(21))], key('Enter')),
    'At most 20 prefixes',
  ],
  [
    'About: a licence open',
    all(open('About'), (page) => page.locator('main summary').first().click()),
    'Permission is hereby granted',
  ],
  ['the list of keys', key('F1'), 'Keyboard shortcuts'],
];

export const STATES: readonly State[] = rows.map(([name, come, says, more]) => ({
  ...{ name, come, says },
  ...more,
}));
