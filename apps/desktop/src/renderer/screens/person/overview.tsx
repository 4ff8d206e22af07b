import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Problem } from '../../../bridge/problem.ts';
import { Button, KeyCap } from '../../components/controls.tsx';
import { today } from '../../components/values/age.ts';
import { Day, useAsOf } from '../../components/values/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Quiet, Row, Unseen } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { OrderCourse } from '../../components/orders/order-course.tsx';
import { StateChip } from '../../components/orders/order-state.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useInsurance } from '../../state/people/insurance.ts';
import { useMay, useMayAsk } from '../../state/me.tsx';
import { useAutoFocus, useNavigation } from '../../state/navigation.tsx';
import { hasResults, latestWithResults, orderStateOf } from '../../state/orders/order-facts.ts';
import { useLabResult, useOrders } from '../../state/orders/use-orders.ts';
import { useBirthDates, useIdentity, useUserInfo } from '../../state/people/identity.ts';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { useSelection } from '../../state/selection.tsx';
import { latestDays, usePanels } from '../../state/sessions/use-sessions.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useText } from '../../text/text.tsx';
import { Contact, Policy } from './contact.tsx';
import { Month } from './month.tsx';
import { Part, Shut } from './part.tsx';
import { EarlierReports, LatestResults } from './reports.tsx';
import styles from './overview.module.css';

export function Overview({ person }: { readonly person: Person }): ReactElement {
  const text = useText();
  const { data, problem, isFetching, refetch } = usePersonQuery(person);
  return (
    <>
      <Unseen as="h1">{text('screen.person')}</Unseen>
      {data !== undefined && <Glance person={person} />}
      {data === undefined && problem !== undefined && !isFetching && (
        <ProblemNote problem={problem} onRetry={refetch} />
      )}
    </>
  );
}

const earlierShown = 3;

/** All that the glance shows is asked for once; a role asks for nothing that it may not see. */
function useGlance(person: Person) {
  const intl = useIntl();
  const { user_id: userId } = person.value;
  const isOpen = (may: string): boolean => may === 'yes' || may === 'mask';
  const may = {
    labs: isOpen(useMay('labs')),
    insurance: isOpen(useMay('insurance')),
    activity: isOpen(useMay('activity')),
    info: isOpen(useMayAsk('userInfo')),
  };
  const days = latestDays(person.value, 30, today(intl));
  const resolved = usePersonQuery(person);
  const info = useUserInfo(person);
  const orders = useOrders(may.labs ? userId : undefined);
  const listed = orders.orders ?? [];
  const latest = latestWithResults(listed);
  const report = useLabResult(userId, latest?.id);
  const primary = useInsurance(userId, 'primary', { isWanted: may.insurance });
  const secondary = useInsurance(userId, 'secondary', { isWanted: may.insurance });
  const panels = usePanels(userId, days, may.activity);
  const asked = [
    resolved,
    ...(may.info ? [info] : []),
    ...(may.labs ? [{ ...orders, data: undefined, refetch: orders.retry }] : []),
    ...(latest === undefined ? [] : [report]),
    ...(may.insurance ? [primary, secondary] : []),
    ...(may.activity ? [panels] : []),
  ];
  return { may, days, info, orders, listed, latest, report, primary, secondary, panels, asked };
}

function Glance({ person }: { readonly person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const { go } = useNavigation();
  const { openOrder } = useSelection();
  const next = useAutoFocus<HTMLButtonElement>();
  const { name, isPending } = useIdentity(person);
  const { birthDates } = useBirthDates(person);
  const glance = useGlance(person);
  const { may, days, info, orders, listed, latest, report } = glance;
  const { primary, secondary, panels, asked } = glance;
  const refresh = (): void => {
    for (const one of asked) one.refetch();
  };
  useShortcuts({ F5: refresh, 'Shift+F5': refresh });
  const isFetching = asked.some((one) => one.isFetching);
  // No contact, no insurance, no list of orders: said where they would be.
  const failed = asked.filter(
    ({ problem }) => problem !== undefined && !['notFound', 'notOffered'].includes(problem.kind),
  );
  const problem = failed[0]?.problem;
  const [oldest] = asked.flatMap(({ data }) => data?.receivedAt ?? []).toSorted();
  const awaited = listed.find((order) => orderStateOf(order).kind === 'awaited');
  const earlier = listed.filter((order) => order !== latest && hasResults(order));
  const result = report.data?.value;
  const { date_collected: collected, laboratory } = result?.metadata ?? {};
  return (
    <div className={`bleed ${styles['overview'] ?? ''}`}>
      <div className={styles['main']}>
        {problem !== undefined && !isFetching && (
          <ProblemNote
            problem={problem}
            onRetry={() => {
              for (const one of failed) one.refetch();
            }}
          />
        )}
        {awaited !== undefined && (
          <Part
            title={text('overview.next')}
            about={<bdi>{awaited.lab_test?.name}</bdi>}
            action={
              <Button
                kind="quiet"
                onPress={() => {
                  openOrder(awaited.id);
                }}
              >
                {text('overview.openOrder')}
              </Button>
            }
          >
            <OrderCourse
              isWide
              status={awaited.last_event?.status ?? awaited.status ?? ''}
              order={awaited}
            />
          </Part>
        )}
        <Part
          title={text('overview.latest')}
          about={
            latest !== undefined && (
              <>
                {laboratory && <bdi>{laboratory}</bdi>}
                {collected && (
                  <span>
                    {text('labs.collected')} <Day date={collected} />
                  </span>
                )}
                {orderStateOf(latest).kind !== 'final' && <StateChip order={latest} />}
              </>
            )
          }
          action={
            may.labs && (
              <Button
                ref={next}
                onPress={() => {
                  go('labs');
                }}
              >
                {text(
                  orders.orders !== undefined && latest === undefined
                    ? 'screen.labs'
                    : 'person.latestReport',
                )}
                <KeyCap isSilent keys="Ctrl 2" />
              </Button>
            )
          }
        >
          {!may.labs && <Shut screen="labs" />}
          {result !== undefined && !isPending && (
            <LatestResults
              result={result}
              birthDates={birthDates}
              insurance={primary.data?.value}
              name={name}
            />
          )}
          {may.labs && latest === undefined && !orders.isFetching && (
            <Quiet as="p" size="row13">
              {text(
                orders.isMissing
                  ? 'orders.notOffered'
                  : orders.orders === undefined
                    ? 'overview.notRead'
                    : listed.length === 0
                      ? 'orders.none'
                      : 'overview.noReport',
              )}
            </Quiet>
          )}
        </Part>
        {earlier.length > 0 && (
          <Part
            title={text('overview.earlier')}
            action={
              <Button
                kind="quiet"
                onPress={() => {
                  go('labs');
                }}
              >
                {text('overview.all', { count: orders.total ?? listed.length })}
              </Button>
            }
          >
            <EarlierReports orders={earlier.slice(0, earlierShown)} onOpen={openOrder} />
          </Part>
        )}
        <Month person={person} mayLook={may.activity} days={days} panels={panels.data?.value} />
      </div>
      <aside className={styles['aside']} aria-label={text('overview.beside')}>
        <Part title={text('overview.contact')}>
          {info.data !== undefined && <Contact info={info.data.value} />}
          {!may.info && <p className="quiet row13">{text('person.infoShut')}</p>}
          <NotOffered problem={info.problem} />
          {may.info && info.problem?.kind === 'notFound' && (
            <Quiet as="p" size="row13" role="status">
              {text('person.noInfo')}
            </Quiet>
          )}
        </Part>
        {may.insurance ? (
          <>
            <Part
              title={text('insurance.titlePrimary')}
              about={primary.data && <Whose of={primary.data.value.relationship} />}
            >
              {primary.data !== undefined && <Policy of={primary.data.value} />}
              <NotOffered problem={primary.problem} />
              {primary.problem?.missing === 'insurance' && (
                <Quiet as="p" size="row13">
                  {text('insurance.nonePrimary')}
                </Quiet>
              )}
            </Part>
            {secondary.data !== undefined && (
              <Part
                title={text('insurance.titleSecondary')}
                about={<Whose of={secondary.data.value.relationship} />}
              >
                <Policy of={secondary.data.value} />
              </Part>
            )}
          </>
        ) : (
          <Part title={text('insurance.titleBoth')}>
            <Shut screen="insurance" />
          </Part>
        )}
        <Row gap="gap3" className={styles['foot']}>
          {oldest !== undefined && <Quiet size="meta">{asOf(oldest)}</Quiet>}
          <Button kind="quiet" isDisabled={isFetching} onPress={refresh}>
            <Icon of={RefreshCw} />
            {text('labs.refresh')}
            <KeyCap isSilent keys="F5" />
          </Button>
        </Row>
        {isFetching && (
          <Loading
            what="screen.person"
            onCancel={() => {
              for (const one of asked) one.cancel();
            }}
          />
        )}
      </aside>
    </div>
  );
}

function NotOffered({ problem }: { readonly problem: Problem | undefined }): ReactElement | null {
  const problemText = useProblemText();
  return problem?.kind === 'notOffered' ? (
    <Quiet as="p" size="row13">
      {problemText(problem)}
    </Quiet>
  ) : null;
}

function Whose({ of }: { readonly of: string }): ReactElement {
  const text = useText();
  const known = ['Self', 'Spouse', 'Child', 'Parent', 'Other'] as const;
  const word = known.find((one) => one === of);
  return word === undefined ? (
    <bdi>{text('value.quoted', { value: of })}</bdi>
  ) : (
    <>{text(`overview.policy.${word}`)}</>
  );
}
