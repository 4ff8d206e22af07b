import { Siren } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  BREAK_GLASS_REASONS,
  EMERGENCY_MINUTES,
  LEAST_REASON_LETTERS,
  REVIEW_HOURS,
  countVisibleLetters,
} from '@caregate/domain';
import type { BreakGlassReason } from '@caregate/domain';
import { FieldError } from 'react-aria-components/FieldError';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup';
import { useIntl } from 'react-intl';
import { Button, Code, Field, KeyCap } from '../../ui/controls.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useStatus } from '../../api/app-state.ts';
import { useMask } from '../../app/mask.tsx';
import { useIdentity } from '../patient/identity.ts';
import type { Person } from '../patient/person.ts';
import { unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './emergency.module.css';

export default function EmergencyDialog(props: {
  readonly person: Person;
  readonly onClose: () => void;
}) {
  const { person, onClose } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { provider } = useStatus();
  const [reasonCode, setReasonCode] = useState<BreakGlassReason>();
  const [why, setWhy] = useState('');
  const [isRefused, setRefused] = useState(false);
  const { run, working, problem, clear } = useAttempt();
  const field = useRef<HTMLTextAreaElement>(null);
  const reasons = useRef<HTMLDivElement>(null);
  const { name, birthDate } = useIdentity(person);
  const count = countVisibleLetters(why);
  const { user_id: userId, client_user_id: clientUserId } = person.value;
  useCancelOnClose(working);
  const open = (): void => {
    if (reasonCode !== undefined && count >= LEAST_REASON_LETTERS) {
      const request = { userId, reasonCode, text: why.trim() };
      run(() => unwrap(window.caregate.askBreakGlass(request)), onClose);
      return;
    }
    clear();
    setRefused(true);
    if (reasonCode === undefined) reasons.current?.querySelector('input')?.focus();
    else field.current?.focus();
  };
  return (
    <Overlay onClose={onClose} className={styles['dialog'] ?? ''}>
      <Heading slot="title" className={`line gap2 ${styles['title'] ?? ''}`}>
        <Icon big of={Siren} />
        {text('screen.reviews')}
      </Heading>
      <p>
        {text('emergency.to')}{' '}
        <b>{name === undefined ? text('patient.noName') : <bdi>{mask(name)}</bdi>}</b>
        {birthDate !== undefined &&
          `, ${text('patient.born')} ${mask(formatDate(intl, birthDate))}`}
        {', '}
        <Code>{mask(clientUserId)}</Code>
        {'. '}
        {text('emergency.lasts', { minutes: EMERGENCY_MINUTES, hours: REVIEW_HOURS })}
      </p>
      <Stack
        as="form"
        gap="gap3"
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            open();
          }
        }}
      >
        <RadioGroup
          ref={reasons}
          value={reasonCode ?? null}
          onChange={(next) => setReasonCode(next as BreakGlassReason)}
          isDisabled={working}
          isInvalid={isRefused && reasonCode === undefined}
        >
          <Label className="bold">{text('emergency.why')}</Label>
          {BREAK_GLASS_REASONS.map((code, place) => (
            <RadioField key={code} value={code} autoFocus={place === 0}>
              <RadioButton className={`line gap2 ${styles['reason'] ?? ''}`}>
                <span aria-hidden="true" className={styles['dot']} />
                {text(`emergency.reason.${code}`)}
              </RadioButton>
            </RadioField>
          ))}
          <FieldError className="flagged help">{text('emergency.chooseReason')}</FieldError>
        </RadioGroup>
        <Field
          label={text('emergency.what')}
          help={
            <span className="line between gap2 quiet meta">
              <span>{text('emergency.least', { least: LEAST_REASON_LETTERS })}</span>
              <span>{intl.formatNumber(count)}</span>
            </span>
          }
          error={
            isRefused && reasonCode !== undefined && count < LEAST_REASON_LETTERS
              ? text('emergency.short', { count: LEAST_REASON_LETTERS - count })
              : undefined
          }
          area={{ rows: 2, ref: field }}
          value={why}
          onChange={(next) => {
            setWhy(next);
            setRefused(false);
          }}
          isReadOnly={working}
          maxLength={2000}
        />
        {problem !== undefined && <ProblemNote problem={problem} />}
        {working && provider !== undefined && (
          <Banner kind="accent" role="status">
            {text('emergency.browser', { provider: provider.name })}
          </Banner>
        )}
        <Row>
          <Button kind="main" type="submit">
            {working
              ? text('state.working')
              : text('emergency.submit', { minutes: EMERGENCY_MINUTES })}
            <KeyCap keys="Ctrl Enter" />
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {text('state.cancel')}
          </Button>
        </Row>
      </Stack>
    </Overlay>
  );
}

function useCancelOnClose(working: boolean): void {
  const now = useRef(working);
  useEffect(() => {
    now.current = working;
  }, [working]);
  useEffect(
    () => () => {
      if (now.current) void window.caregate.cancelSignIn({});
    },
    [],
  );
}
