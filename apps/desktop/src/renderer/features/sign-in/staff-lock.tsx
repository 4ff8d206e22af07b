import { IdCard, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useIntl } from 'react-intl';
import type { Person } from '../../../shared/people.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { longDayText, timeText } from '../../ui/values/dates.tsx';
import { Avatar, Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack, Unseen } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { useScanner } from '../scanner/use-scanner.ts';
import { usePageState, useStatus } from '../../api/app-state.ts';
import { useKeyDown, useNow } from '../../ui/hooks.ts';
import { useRoleText, useText } from '../../i18n/text.tsx';
import { BrowserWait, useBrowser } from './browser-sign-in.tsx';
import { DemoPin } from './demo-pin.tsx';
import styles from './gate.module.css';
import { Unlock } from './pin.tsx';

export function StaffLock(): ReactElement {
  const text = useText();
  const { people, chosen, returning } = useStatus();
  const last = usePageState('lastAtDesk');
  const [badge, setBadge] = useState<Problem>();
  const [isBroken, setBroken] = useState(false);
  const browser = useBrowser();
  // Whoever was here last most often comes back.
  const picked =
    people.find(({ staffId }) => staffId === (chosen ?? last)) ??
    (people.length === 1 ? people[0] : undefined);
  const choose = (staffId: string): void => {
    setBadge(undefined);
    void window.caregate.switchTo({ staffId });
  };
  useCardKeys(
    people.map(({ staffId }) => staffId),
    picked?.staffId,
    choose,
  );
  useScanner({
    onScan: ({ code }) => {
      setBroken(false);
      void window.caregate.readBadge({ badge: code }).then((outcome) => {
        setBadge(outcome.ok ? undefined : outcome.problem);
      });
    },
    onBroken: () => {
      setBroken(true);
    },
  });
  const problem = badge ?? browser.problem;
  return (
    <Stack gap="gap6" className={styles['locked']}>
      <Unseen as="h1">{text('lock.title')}</Unseen>
      <Clock />
      <StaffCards people={people} picked={picked?.staffId} onPick={choose} />
      {isBroken && <p role="alert">{text('lock.badgeBroken')}</p>}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {browser.waiting ? (
        <BrowserWait>
          <Button onPress={browser.cancel}>{text('state.cancel')}</Button>
        </BrowserWait>
      ) : picked === undefined ? (
        <p className="quiet body">{text('lock.chooseFirst')}</p>
      ) : (
        <Unlock key={picked.staffId} person={picked} onSignIn={browser.begin} />
      )}
      {picked !== undefined && <Return staffId={picked.staffId} />}
      <DemoPin />
      <Row gap="wide" className={styles['badge']}>
        <Icon big of={IdCard} />
        <p>
          <b>{text('lock.badge')}</b> <Quiet size="row13">{text('lock.badgeHelp')}</Quiet>
        </p>
        <Button kind="quiet" onPress={browser.begin}>
          {text('lock.someoneElse')}
        </Button>
        {returning !== undefined && <Quiet size="meta">{text('lock.someoneElseHelp')}</Quiet>}
      </Row>
    </Stack>
  );
}

/** Whoever had a patient open is told what they come back to; nothing of the patient. */
function Return({ staffId }: { readonly staffId: string }): ReactElement | null {
  const text = useText();
  const intl = useIntl();
  const { returning } = useStatus();
  const now = useNow(1000);
  if (returning?.staffId !== staffId) return null;
  const until = new Date(returning.until);
  if (until <= now) return null;
  return (
    <Row as="p" className="row13">
      <Icon of={RotateCcw} />
      <span>{text('lock.return', { time: timeText(intl, until) })}</span>
    </Row>
  );
}

function StaffCards(props: {
  readonly people: readonly Person[];
  readonly picked: string | undefined;
  readonly onPick: (staffId: string) => void;
}): ReactElement {
  const { people, picked, onPick } = props;
  const text = useText();
  const roleText = useRoleText();
  return (
    <ul className={`stack gap3 ${styles['cards'] ?? ''}`} aria-label={text('lock.people')}>
      {people.map(({ staffId, name, role }, place) => (
        <li key={staffId}>
          <AriaButton
            className={`stack row13 wrap ${styles['staff'] ?? ''}`}
            aria-pressed={staffId === picked}
            onPress={() => {
              onPick(staffId);
            }}
          >
            {place < 9 && <kbd aria-hidden="true">{place + 1}</kbd>}
            <Avatar big name={name} />
            <b>{name}</b>
            <Quiet size="meta">{roleText(role)}</Quiet>
          </AriaButton>
        </li>
      ))}
    </ul>
  );
}

function useCardKeys(
  ids: readonly string[],
  picked: string | undefined,
  choose: (staffId: string) => void,
): void {
  useKeyDown((event) => {
    const next = staffIdOf(event, ids, ids.indexOf(picked ?? ''));
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });
}

function staffIdOf(event: KeyboardEvent, ids: readonly string[], at: number): string | undefined {
  const { key, code, altKey, ctrlKey, metaKey, target } = event;
  const digit = /^(?:Digit|Numpad)(?<digit>[1-9])$/u.exec(code)?.groups?.['digit'];
  if (altKey && digit !== undefined) return ids[Number(digit) - 1];
  if (altKey || ctrlKey || metaKey || target instanceof HTMLSelectElement) return undefined;
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
  if (key === forward) return ids[(at + 1) % ids.length];
  if (key === back) return ids[(Math.max(at, 0) - 1 + ids.length) % ids.length];
  return undefined;
}

function Clock(): ReactElement {
  const intl = useIntl();
  const now = useNow(1000);
  return (
    <div className={styles['time']}>
      <time className={styles['clock']}>{timeText(intl, now)}</time>
      <Quiet as="p" size="row13" className={styles['date']}>
        {longDayText(intl, now)}
      </Quiet>
    </div>
  );
}
