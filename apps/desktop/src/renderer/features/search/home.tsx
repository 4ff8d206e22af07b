import { Clock, Siren } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, Code } from '../../ui/controls.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { Card, Chip } from '../../ui/surfaces.tsx';
import { BirthDate, formatDate, formatTime } from '../../ui/values/dates.tsx';
import { useStatus } from '../../api/app-state.ts';
import { useNow } from '../../ui/hooks.ts';
import { useLookUp } from '../../app/look-up.tsx';
import { hidden, useMask, useMasked } from '../../app/mask.tsx';
import { TABS, useNavigation } from '../../app/navigation.tsx';
import { useSelection } from '../../app/selection.tsx';
import { formatExampleBirthDate } from './birth-date-text.ts';
import type { RecentPerson } from './recents.ts';
import { useIsHome } from './use-people-search.ts';
import { useWorkspace, useWorkspaceState } from '../../app/workspace.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './search.module.css';

/** The empty search shows recent patients, examples of what to type, and an active emergency access. */
export function Home() {
  const text = useText();
  return (
    <div className={`${styles['split'] ?? ''} ${styles['home'] ?? ''}`}>
      <RecentPatients />
      <aside aria-label={text('find.type')} className={`stack ${styles['beside'] ?? ''}`}>
        <WhatToType />
        <OpenEmergency />
      </aside>
    </div>
  );
}

function RecentPatients() {
  const text = useText();
  const { startedAt } = useWorkspace();
  const people = useWorkspaceState('recents');
  const intl = useIntl();
  const columns = `quiet meta medium ${styles['columns'] ?? ''} ${styles['recent'] ?? ''}`;
  return (
    <section aria-label={text('recents.title')} className={styles['list']}>
      <Row gap="gap3" className={styles['title']}>
        <h2>{text('recents.title')}</h2>
        <Quiet size="meta">
          {people.length === 0
            ? text('recents.none')
            : text('recents.memory', { time: formatTime(intl, startedAt) })}
        </Quiet>
      </Row>
      {people.length > 0 && (
        <div aria-hidden="true" className={`${columns} ${styles['head'] ?? ''}`}>
          <span>{text('column.name')}</span>
          <span>{text('patient.born')}</span>
          <span>{text('patient.clientId')}</span>
          <span>{text('recents.screen')}</span>
          <span>{text('recents.opened')}</span>
        </div>
      )}
      <ol>
        {people.map((one, place) => (
          <li key={one.userId}>
            <RecentRow one={one} place={place + 1} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface RecentProps {
  readonly one: RecentPerson;
  /** The position, which replaces the name while the mask is on. */
  readonly place: number;
}

function RecentRow({ one, place }: RecentProps) {
  const { name, birthDate, clientUserId, screen, at } = one;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const isMasked = useMasked();
  const { lookUp } = useLookUp();
  return (
    <Entry
      className={`${styles['columns'] ?? ''} ${styles['recent'] ?? ''}`}
      onPress={() => lookUp(clientUserId)}
    >
      <b className="wrap">
        {isMasked ? `${hidden} ${String(place)}` : <bdi>{name ?? text('patient.noName')}</bdi>}
      </b>
      <BirthDate date={birthDate} />
      <span className="wrap">
        <Code>{mask(clientUserId)}</Code>
      </span>
      <Quiet>{screen !== undefined && text(`screen.${screen}`)}</Quiet>
      <Quiet className="numbers">{formatTime(intl, at)}</Quiet>
    </Entry>
  );
}

function WhatToType() {
  const text = useText();
  const { locale } = useIntl();
  const { written, first = 'day' } = formatExampleBirthDate(locale);
  const examples = [
    ['okon', text('find.type.name')],
    [written, text('find.type.birthDate', { first })],
    ['555 0123', text('find.type.phone')],
    ['MRN-000101', text('find.type.id')],
    [`okon ${written}`, text('find.type.both')],
  ] as const;
  return (
    <section className="stack gap2">
      <h2>{text('find.type')}</h2>
      <dl className={styles['examples']}>
        {examples.map(([typed, finds]) => (
          <div key={finds}>
            <dt>
              <kbd dir="ltr">{typed}</kbd>
            </dt>
            <dd>{finds}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Returns the recent patient of the active emergency access if the empty search shows it. The banner is then hidden. */
export function useEmergencyOnHome(): RecentPerson | undefined {
  const { emergency } = useStatus();
  const recents = useWorkspaceState('recents');
  const isHome = useIsHome();
  return isHome ? recents.find(({ userId }) => userId === emergency?.userId) : undefined;
}

function OpenEmergency() {
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const now = useNow();
  const { emergency } = useStatus();
  const one = useEmergencyOnHome();
  const { lookUp } = useLookUp();
  if (emergency === undefined || one === undefined) return null;
  const { expiresAt } = emergency;
  const left = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000);
  return (
    <section className={`stack gap2 ${styles['emergency'] ?? ''}`}>
      <h2>{text('screen.reviews')}</h2>
      <Card className={styles['card']}>
        <div className="line gap2">
          <Icon of={Siren} />
          <b className="wrap grow">
            <bdi>{mask(one.name ?? one.clientUserId)}</bdi>
          </b>
          <Chip kind="notice" icon={Clock}>
            {text('find.emergencyLeft', { minutes: Math.max(0, left) })}
          </Chip>
        </div>
        <Quiet as="p" size="meta">
          {text('find.emergencyEnds', { time: formatTime(intl, expiresAt) })}
        </Quiet>
        <Row>
          <Button onPress={() => lookUp(one.clientUserId)}>{text('find.open')}</Button>
          <Button kind="quiet" onPress={() => void window.caregate.endBreakGlass({})}>
            {text('emergency.end')}
          </Button>
        </Row>
      </Card>
    </section>
  );
}

/** A recent patient in the sidebar. */
export function RecentEntry({ one, place }: RecentProps) {
  const intl = useIntl();
  const mask = useMask();
  const isMasked = useMasked();
  const { person } = useSelection();
  const { screen } = useNavigation();
  const { lookUp } = useLookUp();
  const { name, birthDate, clientUserId, at } = one;
  const isOpen = person?.value.user_id === one.userId;
  return (
    <Entry
      className={styles['recentEntry']}
      // At most one entry of the sidebar is the current one.
      current={isOpen && TABS.some((tab) => tab === screen) && 'true'}
      onPress={() => lookUp(clientUserId)}
    >
      {isMasked ? (
        <span className="medium">{`${hidden} ${String(place)}`}</span>
      ) : (
        // A `bdi` element wouldn't set the text direction of the box, so the wrong end would be cut.
        <span dir="auto" className="cut medium" title={name}>
          {name ?? <Code>{clientUserId}</Code>}
        </span>
      )}
      <Quiet size="meta" className="row between tight numbers">
        <span>{birthDate !== undefined && mask(formatDate(intl, birthDate))}</span>
        <span>{formatTime(intl, at)}</span>
      </Quiet>
    </Entry>
  );
}
