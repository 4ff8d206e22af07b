import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import type {
  GroupedMindfulnessMinutes,
  Insurance,
  LabOrderResult,
  User,
  UserList as Listed,
} from '@caregate/domain';
import { schemas } from '@caregate/domain/schema';
import { filled, turnedOver } from '../components/canaries.testing.ts';
import type { Canary } from '../components/canaries.testing.ts';
import { markupOf, textOf } from '../components/render.testing.ts';
import { MaskContext } from '../state/mask.tsx';
import { checkIdentity } from '../state/orders/identity-check.ts';
import { readOf } from '../state/read.ts';
import { dailyTotals } from '../state/sessions/daily-totals.ts';
import { withPage } from '../state/sessions/panels.ts';
import { WorkspaceProvider } from '../state/workspace.tsx';
import { PanelView, SessionList } from './activity/panel-view.tsx';
import { UserList } from './find/user-list.tsx';
import { InsuranceFacts } from './insurance/facts.tsx';
import { gateOf, nobody } from './labs/identity/identity-gate.testing.ts';
import { LabAnswer } from './labs/lab-answer.tsx';
import { LabReport } from './labs/lab-report.tsx';
import { MissingDetails } from './labs/results/missing-row.tsx';
import { ResultDetails } from './labs/results/result-details.tsx';
import { PersonFacts } from './person/person-facts.tsx';

const user = filled('User');
const list = filled('UserList');
const insurance = filled('Insurance');
const labs = filled('LabOrderResult');
const grouped = filled('GroupedMindfulnessMinutes');
const receivedAt = '2026-01-01T00:00:00Z';
/** A field that no document has may hold anything. */
const extra = { unheard_of: { whose: 'canary unheard-of.' } };
const ordered = '0b5e55ed-0000-4000-8000-00000000c0de';

const personFacts = (of: unknown): ReactElement => createElement(PersonFacts, { user: of as User });
const insuranceFacts = createElement(InsuranceFacts, { insurance: insurance.entity as Insurance });

function peopleList(): ReactElement {
  const client = new QueryClient();
  const pages = [{ value: list.entity, receivedAt }];
  client.setQueryData(['users'], { pages, pageParams: [0] });
  const shown = createElement(UserList, { filter: '', onChoose: () => undefined });
  return createElement(QueryClientProvider, { client }, shown);
}

/** The panels, and what opens under each day. */
function activity(): ReactElement[] {
  const days = { first: '1900-01-01', last: '2100-01-01' };
  return withPage([], grouped.entity as GroupedMindfulnessMinutes)
    .map((panel) => ({ panel, totals: dailyTotals(panel.points, { kind: 'own' }) }))
    .flatMap(({ panel, totals }) => [
      createElement(PanelView, { panel, totals, days, connected: [] }),
      ...totals.map((total) => createElement(SessionList, { total })),
    ]);
}

/** The report, and what opens under each result. */
function report(result: LabOrderResult): ReactElement[] {
  return [
    createElement(LabReport, { result, orderId: 'none', gate: nobody, masked: false }),
    ...result.results.map((one) => createElement(ResultDetails, { result: one })),
    ...(result.missing_results ?? []).map((missing) => createElement(MissingDetails, { missing })),
  ];
}

const shown = (elements: readonly ReactElement[]): string =>
  elements.map((element) => markupOf(element)).join('\n');
const labText = (result: LabOrderResult): string => textOf(shown(report(result)));

/** What reading goes on with, and nobody reads: the desk follows it until the last page. */
const machinery = /^(?:GroupedMindfulnessMinutes\.next(?:_cursor)?|UserList\.(?:offset|limit))$/u;

/** As numbers are written in English, too. */
function forms({ value }: Canary): string[] {
  return typeof value === 'number' ? [String(value), value.toLocaleString('en')] : [String(value)];
}

describe.each<[string, Canary[], () => string]>([
  [
    'Insurance',
    insurance.canaries,
    () => shown([createElement(WorkspaceProvider, { first: 'find' }, insuranceFacts)]),
  ],
  ['GroupedMindfulnessMinutes', grouped.canaries, () => shown(activity())],
  [
    // The list's own words on Find; each person as the Person screen has them.
    ...(['UserList', list.canaries] as const),
    () => shown([peopleList(), ...(list.entity as Listed).users.map(personFacts)]),
  ],
  ['User', user.canaries, () => textOf(shown([personFacts(user.entity)]))],
  ['LabOrderResult', labs.canaries, () => labText(labs.entity as LabOrderResult)],
])('every field of %s', (_name, canaries, show) => {
  const markup = show();
  const read = canaries.filter(
    ({ path, value }) => !machinery.test(path) && typeof value !== 'boolean',
  );
  it.each(read.map((canary) => [canary.path, canary] as const))(
    '%s is on a screen',
    (_path, canary) => {
      expect(forms(canary).some((form) => markup.includes(form))).toBe(true);
    },
  );

  it('is filled: no part of the shape is left without a value', () => {
    expect(read.length).toBeGreaterThan(7);
  });
});

describe('every switch of LabOrderResult', () => {
  const result = labs.entity as LabOrderResult;
  const before = labText(result);
  it.each(labs.canaries.filter(({ value }) => typeof value === 'boolean').map(({ path }) => path))(
    '%s changes what the screen says',
    (path) => {
      expect(labText(turnedOver(result, path))).not.toBe(before);
    },
  );
});

it('a person in the list has no field that the person alone has not', () => {
  const known = Object.keys(schemas.User.properties ?? {});
  expect(Object.keys(schemas.ListedUser.properties ?? {}).sort()).toEqual(known.sort());
});

/** What stays under the mask: it says what was done and when, and not to whom. All else of the shapes goes. */
const stays = [
  /^User(?:List\.users\.\d)?\.(?:created_on|ingestion_|connected_sources|fallback_time_zone)/u,
  /^User(?:List\.users\.\d)?\.fallback_birth_date\.(?:source_slug|updated_at)$/u,
  /^UserList\.(?:total|offset|limit)$/u,
  /^LabOrderResult\.metadata\.(?:provider|laboratory|clia_number|date_|status|interpretation)/u,
  /^LabOrderResult\.(?:results|missing_results)\./u,
  /^LabOrderResult\.order_transaction\.(?:status$|orders\.\d\.(?!id$))/u,
];

function labAnswer(): ReactElement {
  const result = labs.entity as LabOrderResult;
  const data = { value: { ...result, ...extra }, receivedAt };
  const nothing = (): void => undefined;
  return createElement(LabAnswer, {
    orderId: ordered,
    read: {
      ...readOf({ data, error: null, isFetching: false }),
      ...{ refetch: nothing, cancel: nothing },
    },
    order: undefined,
    gate: gateOf(
      checkIdentity({
        ...{ result, person: user.entity as User, insurance: insurance.entity as Insurance },
      }),
    ),
    masked: true,
  });
}

/** Words of closed lists stand in many a text. */
const isTelling = ({ value }: Canary): boolean => /^canary |^\d{4}-|^7\d{3}$/u.test(String(value));

describe.each<[string, Canary[], ReactElement]>([
  ['a person', user.canaries, personFacts({ ...(user.entity as User), ...extra })],
  ['the list of people', list.canaries, peopleList()],
  ['an insurance', insurance.canaries, insuranceFacts],
  ['a lab result', labs.canaries, labAnswer()],
])('under the mask, %s', (_name, canaries, element) => {
  const masked = markupOf(createElement(MaskContext, { value: true }, element));
  // Ids of elements have the list's keys in them; nobody reads those.
  const markup = masked.replaceAll(/ (?:id|data-key|aria-labelledby)="[^"]*"/gu, '');
  const gone = canaries
    .filter(isTelling)
    .filter(({ path }) => !stays.some((rule) => rule.test(path)));

  it('is looked through for something', () => {
    expect(gone.length).toBeGreaterThan(3);
  });

  it.each(gone.map(({ path, value }) => [path, String(value)]))('has no %s', (_path, value) => {
    expect(markup).not.toContain(value);
    // A date is shown in words too, and has a year of its own.
    const year = /^\d{4}(?=-)/u.exec(value)?.[0];
    if (year !== undefined) expect(markup).not.toContain(year);
  });

  it('has nothing of a field that no document knows', () => {
    expect(markup).not.toContain('canary unheard-of.');
    expect(markup).not.toContain(ordered);
  });
});
