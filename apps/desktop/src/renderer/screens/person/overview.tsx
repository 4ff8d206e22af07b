import { LockKeyhole, RefreshCw } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button, KeyCap } from '../../components/controls.tsx';
import { Day, useAsOf } from '../../components/values/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Quiet, Row, Stack, Unseen } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { OrderCourse } from '../../components/orders/order-course.tsx';
import { StateChip } from '../../components/orders/order-state.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { providerName, typeWord } from '../../components/values/source-names.ts';
import { useInsurance } from '../../state/people/insurance.ts';
import { useMay, useMayAsk, useRole } from '../../state/me.tsx';
import { useAutoFocus, useNavigation } from '../../state/navigation.tsx';
import type { ScreenName } from '../../state/navigation.tsx';
import { hasResults, latestWithResults, orderStateOf } from '../../state/orders/order-facts.ts';
import { useLabResult, useOrders } from '../../state/orders/use-orders.ts';
import { useIdentity, useUserInfo } from '../../state/people/identity.ts';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { useOrder } from '../../state/selection.tsx';
import { dailyTotals, sum } from '../../state/sessions/daily-totals.ts';
import { latestDays, usePanels } from '../../state/sessions/use-sessions.ts';
import { useKeyDown } from '../../state/use-key-down.ts';
import { useRoleText, useText } from '../../text/text.tsx';
import { Contact, Policy } from './contact.tsx';
import { MonthBars } from './month-bars.tsx';
import { EarlierReports, LatestResults } from './reports.tsx';
import styles from './overview.module.css';

/** One glance at a person: what is awaited, what came last, and whom to call. */
export function Overview({ person }: { readonly person: Person }): ReactElement {
  const text = useText();
  const isShown = usePersonQuery(person).data !== undefined;
  return (
    <>
      <Unseen as="h1">{text('screen.person')}</Unseen>
      {isShown && <Glance person={person} />}
    </>
  );
}

const earlierShown = 3;

/** All that the glance shows is asked for once; a role asks for nothing that it may not see. */
function useGlance(person: Person) {
  const { user_id: userId } = person.value;
  const isOpen = (may: string): boolean => may === 'yes' || may === 'mask';
  const may = {
    labs: isOpen(useMay('labs')),
    insurance: isOpen(useMay('insurance')),
    activity: isOpen(useMay('activity')),
    info: isOpen(useMayAsk('userInfo')),
  };
  const days = latestDays(person.value, 30);
  const info = useUserInfo(person);
  const orders = useOrders(may.labs ? userId : undefined);
  const listed = orders.orders ?? [];
  const latest = latestWithResults(listed);
  const report = useLabResult(userId, latest?.id);
  const primary = useInsurance(userId, 'primary', { isWanted: may.insurance });
  const secondary = useInsurance(userId, 'secondary', { isWanted: may.insurance });
  const panels = usePanels(userId, days, may.activity);
  const asked = [
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
  const { openOrder } = useOrder();
  const next = useAutoFocus<HTMLButtonElement>();
  const { name, isPending } = useIdentity(person);
  const glance = useGlance(person);
  const { may, info, orders, listed, latest, report, primary, secondary, asked } = glance;
  const refresh = (): void => {
    for (const one of asked) one.refetch();
  };
  useKeyDown((event) => {
    if (event.key !== 'F5' || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    refresh();
  });
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
    <div className={styles['overview']}>
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
                {text('person.latestReport')}
                <KeyCap isSilent keys="Ctrl 2" />
              </Button>
            )
          }
        >
          {!may.labs && <Shut screen="labs" />}
          {result !== undefined && !isPending && (
            <LatestResults
              result={result}
              person={person.value}
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
        <Activity person={person} glance={glance} />
      </div>
      <aside className={styles['aside']} aria-label={text('overview.beside')}>
        <Part title={text('overview.contact')}>
          {info.data !== undefined && <Contact info={info.data.value} />}
          {!may.info && <p className="quiet row13">{text('person.infoShut')}</p>}
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

function Part(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { title, about, action, children } = props;
  return (
    <Stack as="section" aria-label={title} className={styles['part']}>
      <Row className={styles['head']}>
        <h2>{title}</h2>
        <Row as="span" gap="gap2" className={`quiet meta narrow wrap ${styles['about'] ?? ''}`}>
          {about}
        </Row>
        {action}
      </Row>
      {children}
    </Stack>
  );
}

/** One line where the role may not look. */
function Shut({ screen }: { readonly screen: 'labs' | 'insurance' | 'activity' }): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const role = useRole();
  return (
    <p className="line gap2 quiet row13">
      <Icon of={LockKeyhole} />
      {text(`refused.${screen}`, {
        role: role === undefined ? text('refused.you') : roleText(role),
      })}
    </p>
  );
}

/** Only “Self” means the patient. */
function Whose({ of }: { readonly of: string }): ReactElement {
  const text = useText();
  const known = ['Self', 'Spouse', 'Other'] as const;
  const word = known.find((one) => one === of);
  return word === undefined ? (
    <bdi>{text('value.quoted', { value: of })}</bdi>
  ) : (
    <>{text(`overview.policy.${word}`)}</>
  );
}

function Activity(props: {
  readonly person: Person;
  readonly glance: ReturnType<typeof useGlance>;
}): ReactElement {
  const { may, days, panels } = props.glance;
  const { connected_sources: connected } = props.person.value;
  const text = useText();
  const intl = useIntl();
  const { go } = useNavigation();
  // Two sources may have measured the same minutes: they are never added up.
  const [shown, ...others] = (panels.data?.value ?? [])
    .map((panel) => ({
      panel,
      totals: dailyTotals(panel.points, { kind: 'own' }).filter(
        ({ day }) => day >= days.first && day <= days.last,
      ),
    }))
    .filter(({ totals }) => totals.length > 0)
    .toSorted((a, b) => b.totals.length - a.totals.length);
  const word = shown && typeWord(shown.panel.source);
  return (
    <Part
      title={text('activity.title')}
      about={
        shown && (
          <>
            <span>
              {text('activity.panel', {
                provider: providerName(shown.panel.provider, connected),
                source: word === undefined ? shown.panel.source : text(word),
              })}
            </span>
            <span>
              {text('activity.total', {
                minutes: intl.formatNumber(sum(shown.totals.map(({ minutes }) => minutes)), {
                  maximumFractionDigits: 0,
                }),
                days: shown.totals.length,
              })}
            </span>
            {others.length > 0 && <span>{text('overview.sources', { count: others.length })}</span>}
          </>
        )
      }
      action={
        may.activity && (
          <Button
            kind="quiet"
            onPress={() => {
              go('activity' satisfies ScreenName);
            }}
          >
            {text('screen.activity')}
            <KeyCap isSilent keys="Ctrl 4" />
          </Button>
        )
      }
    >
      {!may.activity && <Shut screen="activity" />}
      {shown !== undefined && <MonthBars totals={shown.totals} days={days} />}
      {may.activity && shown === undefined && panels.data !== undefined && (
        <Quiet as="p" size="row13">
          {text('overview.noMinutes')}
        </Quiet>
      )}
    </Part>
  );
}
