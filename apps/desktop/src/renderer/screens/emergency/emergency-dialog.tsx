import { Siren } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import {
  BREAK_GLASS_REASONS,
  EMERGENCY_MINUTES,
  LEAST_REASON_LETTERS,
  REVIEW_HOURS,
  visibleLetters,
} from '@caregate/domain';
import type { BreakGlassReason } from '@caregate/domain';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';
import { useIntl } from 'react-intl';
import type { Problem } from '../../../bridge/problem.ts';
import { Button, Code, controls, KeyCap } from '../../components/controls.tsx';
import { dayText } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Overlay } from '../../components/overlay.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useMask } from '../../state/mask.tsx';
import type { Person } from '../../state/person.ts';
import { useText } from '../../text/text.tsx';
import type { RefusedScreenName } from './refused.tsx';
import styles from './emergency.module.css';

/** Asks why, and then the provider who it is; opens one person's data for half an hour. */
export function EmergencyDialog(props: {
  readonly screen: RefusedScreenName;
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const { screen, person, onClose } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { provider } = useStatus();
  const [reasonCode, setReasonCode] = useState<BreakGlassReason>('threat_to_health_or_safety');
  const [why, setWhy] = useState('');
  const [isShort, setShort] = useState(false);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const field = useRef<HTMLTextAreaElement>(null);
  const count = visibleLetters(why);
  const {
    user_id: userId,
    client_user_id: clientUserId,
    fallback_birth_date: birth,
  } = person.value;
  useEndedWait(asking);
  const ask = (): void => {
    if (asking) return;
    setProblem(undefined);
    if (count < LEAST_REASON_LETTERS) {
      setShort(true);
      field.current?.focus();
      return;
    }
    setAsking(true);
    void window.caregate
      .emergencyAccess({ userId, reasonCode, text: why.trim() })
      .then((outcome) => {
        setAsking(false);
        if (outcome.ok) onClose();
        else if (outcome.problem.kind !== 'cancelled') setProblem(outcome.problem);
      });
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    ask();
  };
  return (
    <Overlay onClose={onClose}>
      <Dialog className={styles['dialog'] ?? ''}>
        <Heading slot="title" className={styles['title'] ?? ''}>
          <Icon big of={Siren} />
          {text('emergency.title')}
        </Heading>
        <p>
          {text(`emergency.to.${screen}`)} <Code>{mask(clientUserId)}</Code>
          {birth
            ? text('emergency.born', { date: mask(dayText(intl, birth.value) ?? birth.value) })
            : ''}
          {'. '}
          {text('emergency.lasts', { minutes: EMERGENCY_MINUTES, hours: REVIEW_HOURS })}
        </p>
        <form
          onSubmit={onSubmit}
          className={styles['form']}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              ask();
            }
          }}
        >
          <RadioGroup
            value={reasonCode}
            onChange={(next) => {
              setReasonCode(next as BreakGlassReason);
            }}
            isDisabled={asking}
            className={styles['reasons'] ?? ''}
          >
            <Label className={controls.label}>{text('emergency.why')}</Label>
            {BREAK_GLASS_REASONS.map((code) => (
              <RadioField key={code} value={code} autoFocus={code === reasonCode}>
                <RadioButton className={styles['reason'] ?? ''}>
                  <span aria-hidden="true" className={styles['dot']} />
                  {text(`emergency.reason.${code}`)}
                </RadioButton>
              </RadioField>
            ))}
          </RadioGroup>
          <TextField
            value={why}
            onChange={(next) => {
              setWhy(next);
              setShort(false);
            }}
            isReadOnly={asking}
            isInvalid={isShort}
            validationBehavior="aria"
            maxLength={2000}
            className={controls.field}
          >
            <Label className={controls.label}>{text('emergency.what')}</Label>
            <TextArea ref={field} rows={2} className={controls.input} />
            <FieldError className={controls.error}>
              {text('emergency.short', { count: LEAST_REASON_LETTERS - count })}
            </FieldError>
            <Text slot="description" className={styles['count'] ?? ''}>
              <span>{text('emergency.least', { least: LEAST_REASON_LETTERS })}</span>
              <span>{intl.formatNumber(count)}</span>
            </Text>
          </TextField>
          {problem !== undefined && <ProblemNote problem={problem} />}
          {asking && provider !== undefined && (
            <p role="status" className={styles['wait']}>
              {text('emergency.browser', { provider: provider.name })}
            </p>
          )}
          <div className={styles['actions']}>
            <Button kind="main" type="submit">
              {asking
                ? text('emergency.asking')
                : text('emergency.submit', { minutes: EMERGENCY_MINUTES })}
              <KeyCap keys="Ctrl Enter" />
            </Button>
            <Button kind="quiet" onPress={onClose}>
              {text('state.cancel')}
            </Button>
          </div>
        </form>
      </Dialog>
    </Overlay>
  );
}

/** Whoever closes the dialog waits for the browser no more. */
function useEndedWait(asking: boolean): void {
  const now = useRef(asking);
  useEffect(() => {
    now.current = asking;
  }, [asking]);
  useEffect(
    () => () => {
      if (now.current) void window.caregate.cancelSignIn({});
    },
    [],
  );
}
