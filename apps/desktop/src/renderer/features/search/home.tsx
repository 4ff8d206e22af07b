import { Clock, Siren } from 'lucide-react';
import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { useIntl } from 'react-intl';
import { Code } from '../../ui/controls.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { Chip } from '../../ui/surfaces.tsx';
import { useAgeText } from '../../ui/values/age.ts';
import { dayText, timeText } from '../../ui/values/dates.tsx';
import { useStatus } from '../../api/app-state.ts';
import { useNow } from '../../ui/hooks.ts';
import { useLookUp, useReopen } from '../../app/look-up.tsx';
import { hidden, useMask, useMasked } from '../../app/mask.tsx';
import { exampleBirthDate } from './birth-date-text.ts';
import { useRecents } from '../../app/selection.tsx';
import type { RecentPerson } from './recents.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './home.module.css';

/** What an empty search shows: recent people, what to type, and the emergency access that is open. */
export function Home(props: {
  readonly listRef: Ref<HTMLOListElement>;
  readonly onLeaveUp: () => void;
}): ReactElement {
  return (
    <div className={styles['home']}>
      <RecentPeople {...props} />
      <aside aria-label={useText()('find.type')} className={`stack ${styles['aside'] ?? ''}`}>
        <WhatToType />
        <OpenEmergency />
      </aside>
    </div>
  );
}

function RecentPeople(props: {
  readonly listRef: Ref<HTMLOListElement>;
  readonly onLeaveUp: () => void;
}): ReactElement {
  const { listRef, onLeaveUp } = props;
  const text = useText();
  const { people } = useRecents();
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...event.currentTarget.querySelectorAll('button')];
    const at = rows.findIndex((row) => row === event.target);
    if (event.key === 'ArrowDown') rows[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at === 0) onLeaveUp();
    else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section aria-label={text('recents.title')} className={styles['recents']}>
      <Row gap="gap3" className={styles['top']}>
        <h2 className="head">{text('recents.title')}</h2>
        <Quiet size="meta">{text(people.length === 0 ? 'recents.none' : 'recents.memory')}</Quiet>
      </Row>
      {people.length > 0 && (
        <div aria-hidden="true" className={`quiet meta medium ${styles['columns'] ?? ''}`}>
          <span>{text('column.name')}</span>
          <span>{text('patient.born')}</span>
          <span>{text('patient.clientId')}</span>
          <span>{text('recents.opened')}</span>
        </div>
      )}
      <ol ref={listRef} onKeyDownCapture={onKeyDown}>
        {people.map((one, place) => (
          <li key={one.userId}>
            <RecentRow one={one} place={place + 1} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function RecentRow(props: { readonly one: RecentPerson; readonly place: number }): ReactElement {
  const { one, place } = props;
  const { name, birthDate, clientUserId, at } = one;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const masked = useMasked();
  const ageText = useAgeText();
  const reopen = useReopen();
  const age = birthDate === undefined ? undefined : ageText(birthDate, true);
  return (
    <Entry
      className={styles['columns']}
      onPress={() => {
        reopen.person(one);
      }}
    >
      <b className="wrap">
        {masked ? `${hidden} ${String(place)}` : <bdi>{name ?? text('patient.noName')}</bdi>}
      </b>
      <span className="numbers">
        {birthDate === undefined ? (
          <Quiet>{text('value.none')}</Quiet>
        ) : (
          <>
            <b>{mask(dayText(intl, birthDate))}</b>{' '}
            {age !== undefined && <Quiet>{mask(age)}</Quiet>}
          </>
        )}
      </span>
      <span className="wrap">
        <Code>{mask(clientUserId)}</Code>
      </span>
      <Quiet className="numbers">{timeText(intl, at)}</Quiet>
    </Entry>
  );
}

function WhatToType(): ReactElement {
  const text = useText();
  const { locale } = useIntl();
  const { written, first = 'day' } = exampleBirthDate(locale);
  const examples = [
    ['okon', text('find.type.name')],
    [written, text('find.type.birthDate', { first })],
    ['555 0123', text('find.type.phone')],
    ['MRN-000101', text('find.type.id')],
  ] as const;
  return (
    <section className="stack gap2">
      <h2 className="head">{text('find.type')}</h2>
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

function OpenEmergency(): ReactElement | null {
  const text = useText();
  const mask = useMask();
  const now = useNow();
  const { emergency } = useStatus();
  const { people } = useRecents();
  const { lookUp } = useLookUp();
  const one = people.find(({ userId }) => userId === emergency?.userId);
  if (emergency === undefined || one === undefined) return null;
  const left = Math.ceil((Date.parse(emergency.expiresAt) - now.getTime()) / 60_000);
  return (
    <section className="stack gap2">
      <h2 className="head">{text('screen.reviews')}</h2>
      <Entry
        onPress={() => {
          lookUp(one.clientUserId);
        }}
      >
        <Icon of={Siren} />
        <b className="wrap grow">
          <bdi>{mask(one.name ?? one.clientUserId)}</bdi>
        </b>
        <Chip kind="notice" icon={Clock}>
          {text('find.emergencyLeft', { minutes: Math.max(0, left) })}
        </Chip>
      </Entry>
    </section>
  );
}
