import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import type { GroupedMindfulnessMinutes, Insurance, ListedUser, User } from '@caregate/domain';
import { schemas } from '@caregate/domain/schema';
import type { UserList as Listed } from '@caregate/domain';
import { filled } from '../components/canaries.testing.ts';
import type { Canary } from '../components/canaries.testing.ts';
import { markupOf } from '../components/render.testing.ts';
import { WorkspaceProvider } from '../state/workspace.tsx';
import { dailyTotals } from '../state/sessions/daily-totals.ts';
import { PanelView, SessionList } from './activity/panel-view.tsx';
import { withPage } from '../state/sessions/panels.ts';
import { UserList } from './find/user-list.tsx';
import { InsuranceFacts } from './insurance/facts.tsx';
import { PersonFacts } from './person/person-facts.tsx';

/** What reading goes on with, and nobody reads: the desk follows it until the last page. */
const machinery = [
  'GroupedMindfulnessMinutes.next',
  'GroupedMindfulnessMinutes.next_cursor',
  'UserList.offset',
  'UserList.limit',
];

const inWorkspace = (element: ReactElement): string =>
  markupOf(createElement(WorkspaceProvider, { first: 'find' }, element));

const insurance = filled('Insurance');
const grouped = filled('GroupedMindfulnessMinutes');
const list = filled('UserList');

function insuranceMarkup(): string {
  return inWorkspace(createElement(InsuranceFacts, { insurance: insurance.entity as Insurance }));
}

/** The panels, and what opens under each day. */
function activityMarkup(): string {
  const days = { first: '1900-01-01', last: '2100-01-01' };
  return withPage([], grouped.entity as GroupedMindfulnessMinutes)
    .map((panel) => ({ panel, totals: dailyTotals(panel.points, { kind: 'own' }) }))
    .flatMap(({ panel, totals }) => [
      createElement(PanelView, { panel, totals, days, connected: [] }),
      ...totals.map((total) => createElement(SessionList, { total })),
    ])
    .map((element) => markupOf(element))
    .join('\n');
}

/** The list's own words on Find; each person as the Person screen has them. */
function peopleMarkup(): string {
  const received = { value: list.entity as Listed, receivedAt: '2026-01-01T00:00:00Z' };
  const client = new QueryClient();
  client.setQueryData(['users'], { pages: [received], pageParams: [0] });
  const find = createElement(
    QueryClientProvider,
    { client },
    createElement(UserList, { filter: '', onChoose: () => undefined }),
  );
  const people = received.value.users.map((user: ListedUser) =>
    createElement(PersonFacts, { user: user as User }),
  );
  const markup = [find, ...people].map((element) => markupOf(element)).join('\n');
  client.clear();
  return markup;
}

/** As numbers are written in English, too. */
function forms({ value }: Canary): string[] {
  return typeof value === 'number' ? [String(value), value.toLocaleString('en')] : [String(value)];
}

describe.each<[string, Canary[], () => string]>([
  ['Insurance', insurance.canaries, insuranceMarkup],
  ['GroupedMindfulnessMinutes', grouped.canaries, activityMarkup],
  ['UserList', list.canaries, peopleMarkup],
])('every field of %s', (_name, canaries, show) => {
  const markup = show();
  const read = canaries.filter(({ path }) => !machinery.includes(path));
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

describe('a person in the list', () => {
  it('has no field that the person alone has not', () => {
    const known = Object.keys(schemas.User.properties ?? {});
    expect(Object.keys(schemas.ListedUser.properties ?? {}).sort()).toEqual(known.sort());
  });
});
