import { CircleCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, Field, KeyCap } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import { OtherClinic } from './gate-frame.tsx';
import styles from './gate.module.css';
import { useSignIn } from './use-sign-in.ts';

/** The enrolment code that makes this computer a desk of the clinic; asked for again once that was revoked. */
export function Enrol({ onBack }: { onBack: (() => void) | undefined }): ReactElement {
  const text = useText();
  const said = useProblemText();
  const { address, reason } = useStatus();
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { run, working, problem, changed } = useSignIn(() => field.current?.focus());
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() === '') field.current?.focus();
    else run(() => window.caregate.enrolDesk({ address, code: code.trim() }));
  };
  const wasHere = reason === 'deskRevoked';
  const atField = problem?.kind === 'enrolmentRefused';
  return (
    <form onSubmit={onSubmit} className={styles['form']}>
      <div>
        <h1>{text(wasHere ? 'enrol.revoked' : 'enrol.title')}</h1>
        <p className={styles['lead']}>{text(wasHere ? 'reason.deskRevoked' : 'enrol.help')}</p>
      </div>
      <Found />
      {problem !== undefined && !atField && <ProblemNote problem={problem} />}
      <Field
        code
        autoFocus
        label={text('enrol.code')}
        help={text('enrol.codeHelp')}
        error={isMissing ? text('enrol.typeCode') : atField ? said(problem) : undefined}
        value={code}
        onChange={(typed) => {
          setCode(typed);
          setMissing(false);
          changed('key');
        }}
        inputRef={field}
        maxLength={40}
        autoComplete="off"
      />
      <div className={styles['actions']}>
        <Button kind="main" type="submit">
          {text(working ? 'enrol.working' : 'connect.submit')}
          <KeyCap keys="Enter" />
        </Button>
        <OtherClinic onPress={onBack} />
      </div>
    </form>
  );
}

/** Which clinic was found, and that nobody else can read what is sent to it. */
function Found(): ReactElement | null {
  const text = useText();
  const { clinicName, address } = useStatus();
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return (
    <div role="status" className={styles['found']}>
      <Icon big of={CircleCheck} />
      <p>
        <b>{text('connect.found', { clinic: clinicName ?? hostname })}</b>
        <br />
        {protocol === 'https:'
          ? text('connect.private', { host: hostname })
          : text('connect.local')}
      </p>
    </div>
  );
}
