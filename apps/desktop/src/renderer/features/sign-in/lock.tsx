import { ArrowRight, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import { useIntl } from 'react-intl';
import type { Person } from '../../../shared/people.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { formatLongDate, formatTime } from '../../ui/values/dates.tsx';
import { Avatar, Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack, VisuallyHidden } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { useScanner } from '../scanner/use-scanner.ts';
import { usePageState, useSettings, useStatus } from '../../api/app-state.ts';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useNow } from '../../ui/hooks.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import { GateFrame } from './gate.tsx';
import styles from './gate.module.css';
import { Unlock } from './pin.tsx';
import { BrowserWait, DemoPin, useBrowser } from './sign-in.tsx';

/** The lock screen, which shows nothing about patients. A PIN or a sign-in unlocks the desk. */
export function LockScreen() {
  const text = useText();
  const { reason = 'manual', people } = useStatus();
  const { lockMinutes } = useSettings();
  const why =
    reason === 'idle'
      ? text('lock.idle', { minutes: lockMinutes })
      : text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS });
  return (
    <GateFrame
      label={text('lock.title')}
      reason={why}
      keys={
        <>
          {people.length > 1 && (
            <span>
              <bdi dir="ltr">
                <KeyCap keys={formatKeys('switchUser', 1)} />–
                <kbd>{Math.min(9, people.length)}</kbd>
              </bdi>{' '}
              {text('find.keyChoose')}
            </span>
          )}
          <span className={styles['clear']}>
            <KeyCap keys="Esc" /> {text('lock.clear')}
          </span>
        </>
      }
    >
      <StaffLock />
    </GateFrame>
  );
}

function StaffLock() {
  const text = useText();
  const { people, selectedStaffId, returning } = useStatus();
  const last = usePageState('lastAtDesk');
  const [badge, setBadge] = useState<Problem>();
  const [isBroken, setBroken] = useState(false);
  const browser = useBrowser();
  // The last user of the desk is the most likely one to return.
  const picked =
    people.find(({ staffId }) => staffId === (selectedStaffId ?? last)) ??
    (people.length === 1 ? people[0] : undefined);
  const choose = (staffId: string): void => {
    setBadge(undefined);
    void window.caregate.switchTo({ staffId });
  };
  useCommand('switchUser', (digit) => {
    const person = people[digit - 1];
    if (digit === 0) browser.begin();
    else if (person !== undefined) choose(person.staffId);
  });
  useScanner({
    onScan: ({ code }) => {
      setBroken(false);
      void window.caregate
        .readBadge({ badge: code })
        .then((outcome) => setBadge(outcome.ok ? undefined : outcome.problem));
    },
    onBroken: () => setBroken(true),
  });
  const problem = badge ?? browser.problem;
  return (
    <Stack gap="gap6" className={styles['locked']}>
      <VisuallyHidden as="h1">{text('lock.title')}</VisuallyHidden>
      <Clock />
      <Card className={styles['unlock']}>
        {picked === undefined ? (
          <p className="body">{text('lock.chooseFirst')}</p>
        ) : (
          <SelectedUser {...picked} />
        )}
        {isBroken && <p role="alert">{text('lock.badgeBroken')}</p>}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {browser.waiting ? (
          <BrowserWait onCancel={browser.cancel} />
        ) : (
          picked !== undefined && (
            <Unlock key={picked.staffId} person={picked} onSignIn={browser.begin} />
          )
        )}
        {picked !== undefined && <ReturnNote staffId={picked.staffId} />}
        <DemoPin />
      </Card>
      {people.length > 1 && <UserList people={people} picked={picked?.staffId} onPick={choose} />}
      <Row>
        <Button onPress={browser.begin}>
          <Icon of={UsersRound} />
          {text('lock.someoneElse')}
          <KeyCap isSilent keys={formatKeys('switchUser', 0)} />
        </Button>
        {returning !== undefined && <Quiet size="meta">{text('lock.someoneElseHelp')}</Quiet>}
      </Row>
    </Stack>
  );
}

function SelectedUser({ name, role }: Person) {
  const formatRole = useFormatRole();
  return (
    <div className={`center ${styles['me'] ?? ''}`}>
      <Avatar big name={name} />
      <b className="wrap">{name}</b>
      <Quiet size="meta">{formatRole(role)}</Quiet>
    </div>
  );
}

/** Tells a user that an unlock reopens a patient, without naming the patient. */
function ReturnNote({ staffId }: { readonly staffId: string }) {
  const text = useText();
  const intl = useIntl();
  const { returning } = useStatus();
  const now = useNow(1000);
  if (returning?.staffId !== staffId || new Date(returning.until) <= now) return null;
  return (
    <p className={`line gap2 ${styles['return'] ?? ''}`}>
      <Icon of={ArrowRight} />
      <span>{text('lock.return', { time: formatTime(intl, returning.until) })}</span>
    </p>
  );
}

function UserList(props: {
  readonly people: readonly Person[];
  readonly picked: string | undefined;
  readonly onPick: (staffId: string) => void;
}) {
  const { people, picked, onPick } = props;
  const text = useText();
  return (
    <Row as="ul" aria-label={text('lock.people')} className={styles['people']}>
      {people.map(({ staffId, name }, place) => (
        <li key={staffId}>
          <Button aria-pressed={staffId === picked} onPress={() => onPick(staffId)}>
            <span className="wrap">{name}</span>
            {place < 9 && <KeyCap isSilent keys={formatKeys('switchUser', place + 1)} />}
          </Button>
        </li>
      ))}
    </Row>
  );
}

function Clock() {
  const intl = useIntl();
  const now = useNow(1000);
  return (
    <div className={styles['time']}>
      <time className={styles['clock']}>{formatTime(intl, now)}</time>
      <Quiet as="p" size="row13">
        {formatLongDate(intl, now)}
      </Quiet>
    </div>
  );
}
