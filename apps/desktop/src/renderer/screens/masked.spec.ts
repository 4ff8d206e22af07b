import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import type { Insurance, LabOrderResult, User, UserList as Listed } from '@caregate/domain';
import { filled } from '../components/canaries.testing.ts';
import type { Canary } from '../components/canaries.testing.ts';
import { MaskContext } from '../state/mask.tsx';
import { readOf } from '../state/read.ts';
import { markupOf } from '../components/render.testing.ts';
import { UserList } from './find/user-list.tsx';
import { InsuranceFacts } from './insurance/facts.tsx';
import { checkIdentity } from '../state/orders/identity-check.ts';
import { gateOf } from './labs/identity/identity-gate.testing.ts';
import { LabAnswer } from './labs/lab-answer.tsx';
import { PersonFacts } from './person/person-facts.tsx';

/** What stays under the mask: it says what was done and when, and not to whom. All else of the shapes goes. */
const stays = [
  /^User(?:List\.users\.\d)?\.(?:created_on|ingestion_|connected_sources|fallback_time_zone)/u,
  /^User(?:List\.users\.\d)?\.fallback_birth_date\.(?:source_slug|updated_at)$/u,
  /^UserList\.(?:total|offset|limit)$/u,
  /^LabOrderResult\.metadata\.(?:provider|laboratory|clia_number|date_|status|interpretation)/u,
  /^LabOrderResult\.(?:results|missing_results)\./u,
  /^LabOrderResult\.order_transaction\.(?:status$|orders\.\d\.(?!id$))/u,
];

const user = filled('User');
const list = filled('UserList');
const insurance = filled('Insurance');
const labs = filled('LabOrderResult');
/** Fields that no document has may hold anything. */
const extra = { unheard_of: { whose: 'canary unheard-of.' } };
const ordered = '0b5e55ed-0000-4000-8000-00000000c0de';

const labAnswer = (error: Error | null): ReactElement =>
  createElement(LabAnswer, {
    orderId: ordered,
    read: {
      ...readOf({
        data: {
          value: { ...(labs.entity as LabOrderResult), ...extra },
          receivedAt: '2026-01-01T00:00:00Z',
        },
        error,
        isFetching: false,
      }),
      refetch: () => undefined,
      cancel: () => undefined,
    },
    order: undefined,
    gate: gateOf(
      checkIdentity({
        result: labs.entity as LabOrderResult,
        person: user.entity as User,
        insurance: insurance.entity as Insurance,
      }),
    ),
    masked: true,
  });

function peopleList(): ReactElement {
  const received = { value: list.entity as Listed, receivedAt: '2026-01-01T00:00:00Z' };
  const client = new QueryClient();
  client.setQueryData(['users'], { pages: [received], pageParams: [0] });
  const shown = createElement(UserList, { filter: '', onChoose: () => undefined });
  return createElement(QueryClientProvider, { client }, shown);
}

const masked = (element: ReactElement): string =>
  markupOf(createElement(MaskContext, { value: true }, element));

/** Words of closed lists stand in many a text. */
function isTelling({ value }: Canary): boolean {
  return /^canary |^\d{4}-|^7\d{3}$/u.test(String(value));
}

describe.each<[string, Canary[], ReactElement]>([
  [
    'a person',
    user.canaries,
    createElement(PersonFacts, { user: { ...(user.entity as User), ...extra } }),
  ],
  ['the list of people', list.canaries, peopleList()],
  [
    'an insurance',
    insurance.canaries,
    createElement(InsuranceFacts, { insurance: insurance.entity as Insurance }),
  ],
  ['a lab result', labs.canaries, labAnswer(null)],
])('under the mask, %s', (_name, canaries, element) => {
  // Ids of elements have the list's keys in them; nobody reads those.
  const markup = masked(element).replaceAll(/ (?:id|data-key|aria-labelledby)="[^"]*"/gu, '');
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
