import { CircleCheck, MonitorX } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { ProblemKind } from '../../../shared/problem.ts';
import { Field } from '../../ui/controls.tsx';
import { useProblemText } from '../../ui/problem.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import { BoxField } from './box-field.tsx';
import { GateForm, OtherClinic } from './gate-form.tsx';
import styles from './gate.module.css';

export function Connect(props: {
  readonly address: string;
  readonly onDone: (address: string) => void;
}): ReactElement {
  const { address, onDone } = props;
  const text = useText();
  const problemText = useProblemText();
  const [typed, setTyped] = useState(address);
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => input.current?.focus());
  const isHere = problem !== undefined && addressProblems.includes(problem.kind);
  return (
    <GateForm
      title={text('connect.title')}
      lead={text('connect.help')}
      problem={isHere ? undefined : problem}
      hasKey
      submit={text(working ? 'connect.working' : 'connect.submit')}
      onSubmit={() => {
        const isEmpty = typed.trim() === '';
        setMissing(isEmpty);
        if (isEmpty) input.current?.focus();
        else
          run(
            () => unwrap(window.caregate.signInInfo({ address: typed })),
            () => {
              onDone(typed);
            },
          );
      }}
    >
      <Field
        code
        autoFocus
        label={text('about.address')}
        help={text('signIn.addressHelp')}
        error={isMissing ? text('signIn.typeAddress') : isHere ? problemText(problem) : undefined}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setMissing(false);
          clear();
        }}
        inputRef={input}
        maxLength={2048}
      />
    </GateForm>
  );
}

const addressProblems: readonly ProblemKind[] = [
  'invalidAddress',
  'insecureAddress',
  'fixedAddress',
  'notCaregate',
];

const codeLength = 10;

export function Enrol({ onBack }: { onBack: (() => void) | undefined }): ReactElement {
  const text = useText();
  const problemText = useProblemText();
  const { address, reason } = useStatus();
  const isRevoked = reason === 'deskRevoked';
  const [code, setCode] = useState('');
  const [isShort, setShort] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => input.current?.focus());
  const isRefused = problem?.kind === 'enrolmentRefused';
  const left = codeLength - code.length;
  return (
    <GateForm
      icon={isRevoked ? MonitorX : undefined}
      title={text(isRevoked ? 'enrol.revoked' : 'enrol.submit')}
      lead={text(isRevoked ? 'reason.deskRevoked' : 'enrol.help')}
      problem={isRefused ? undefined : problem}
      hasKey
      submit={text(working ? 'enrol.working' : 'enrol.submit')}
      others={<OtherClinic onPress={onBack} />}
      onSubmit={() => {
        setShort(left > 0);
        if (left > 0) input.current?.focus();
        else run(() => unwrap(window.caregate.enrolDesk({ address, code })));
      }}
    >
      {!isRevoked && <Found />}
      <BoxField
        label={text('enrol.code')}
        value={code}
        read={(typed) =>
          typed
            .toUpperCase()
            .replaceAll(/[^0-9A-Z]/gu, '')
            .slice(0, codeLength)
        }
        onChange={(next) => {
          setCode(next);
          setShort(false);
          clear();
        }}
        boxes={codeLength}
        help={
          left === codeLength || left === 0
            ? text('enrol.codeHelp')
            : text('enrol.left', { count: left })
        }
        error={isShort ? text('enrol.typeCode') : isRefused ? problemText(problem) : undefined}
        inputRef={input}
        input={{ autoFocus: true, maxLength: 40 }}
      />
    </GateForm>
  );
}

function Found(): ReactElement | null {
  const text = useText();
  const { clinicName, address } = useStatus();
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return (
    <Banner kind="good" icon={CircleCheck} role="status" className={styles['roomy']}>
      <p>
        <b>{text('connect.found', { clinic: clinicName ?? hostname })}</b>
        <br />
        {protocol === 'https:'
          ? text('connect.private', { host: hostname })
          : text('connect.local')}
      </p>
    </Banner>
  );
}
