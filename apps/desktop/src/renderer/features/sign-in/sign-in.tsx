import { ExternalLink } from 'lucide-react';
import { useRef, useState, type ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import type { Problem, ProblemKind } from '../../../shared/problem.ts';
import { Button, Field } from '../../ui/controls.tsx';
import { Avatar, Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote, useFormatProblem } from '../../ui/problem.tsx';
import { Banner, Card } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { usePolicy, useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import { GateForm, GateFrame, Heading } from './gate.tsx';
import styles from './gate.module.css';
import { isTemporary, useClinicAt } from './use-clinic.ts';

export function SignInScreen() {
  const text = useText();
  const status = useStatus();
  const isFixed = usePolicy().fixed.includes('address');
  const { reason, provider, enrolled } = status;
  const [address, setAddress] = useState(status.address);
  const [isConnecting, setConnecting] = useState(address === '' && !isFixed);
  const { isReady, problem, retry } = useClinicAt(isConnecting ? '' : status.address);
  const otherClinic = !isFixed && (
    <Button kind="quiet" onPress={() => setConnecting(true)}>
      {text('connect.other')}
    </Button>
  );
  const isIncompatible = problem?.kind === 'serviceTooOld' || problem?.kind === 'deskTooOld';
  const isUnreached = provider === undefined || isIncompatible;
  const isToEnroll = !isConnecting && isReady && !isUnreached && !enrolled;
  const showsReason = reason !== undefined && reason !== 'manual' && reason !== 'switched';
  return (
    <GateFrame label={text('signIn.title')}>
      <Card className={styles['card']}>
        {showsReason && (
          <p role="status">{text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS })}</p>
        )}
        {isConnecting ? (
          <Connect
            address={address}
            onDone={(found) => {
              setAddress(found);
              setConnecting(false);
            }}
          />
        ) : !isReady ? (
          <>
            <h1>{text('signIn.title')}</h1>
            <Loading what="about.address" />
          </>
        ) : isUnreached ? (
          <Unreached problem={problem ?? { kind: 'noProvider' }} onRetry={retry}>
            {otherClinic}
          </Unreached>
        ) : isToEnroll ? (
          <Enroll>{otherClinic}</Enroll>
        ) : (
          <BrowserSignIn>{otherClinic}</BrowserSignIn>
        )}
        <Demo />
      </Card>
    </GateFrame>
  );
}

interface WithOtherClinic {
  readonly children: ReactElement | false;
}

function Unreached(
  props: WithOtherClinic & { readonly problem: Problem; readonly onRetry: () => void },
) {
  const { problem, onRetry, children } = props;
  const text = useText();
  return (
    <Stack gap="gap4">
      <Heading
        title={text('signIn.title')}
        lead={isTemporary(problem) ? text('signIn.keepsTrying') : undefined}
      />
      <ProblemNote problem={problem} onRetry={onRetry} />
      {children}
    </Stack>
  );
}

const addressProblems: readonly ProblemKind[] = [
  'invalidAddress',
  'insecureAddress',
  'fixedAddress',
  'notCaregate',
];

function Connect(props: { readonly address: string; readonly onDone: (address: string) => void }) {
  const { address, onDone } = props;
  const text = useText();
  const formatProblem = useFormatProblem();
  const [typed, setTyped] = useState(address);
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => input.current?.focus());
  const isAddressProblem = problem !== undefined && addressProblems.includes(problem.kind);
  return (
    <GateForm
      title={text('connect.title')}
      lead={text('connect.help')}
      problem={isAddressProblem ? undefined : problem}
      submit={text(working ? 'state.working' : 'connect.submit')}
      onSubmit={() => {
        const isEmpty = typed.trim() === '';
        setMissing(isEmpty);
        if (isEmpty) input.current?.focus();
        else
          run(
            () => unwrap(window.caregate.signInInfo({ address: typed })),
            () => onDone(typed),
          );
      }}
    >
      <Field
        code
        autoFocus
        label={text('about.address')}
        help={text('signIn.addressHelp')}
        error={
          isMissing
            ? text('signIn.typeAddress')
            : isAddressProblem
              ? formatProblem(problem)
              : undefined
        }
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

const codeLength = 10;

function Enroll({ children }: WithOtherClinic) {
  const text = useText();
  const formatProblem = useFormatProblem();
  const { address } = useStatus();
  const [code, setCode] = useState('');
  const [isShort, setShort] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => input.current?.focus());
  const isRefused = problem?.kind === 'enrolmentRefused';
  return (
    <GateForm
      title={text('enrol.submit')}
      lead={text('enrol.help')}
      problem={isRefused ? undefined : problem}
      submit={text(working ? 'state.working' : 'enrol.submit')}
      others={children}
      onSubmit={() => {
        setShort(code.length < codeLength);
        if (code.length < codeLength) input.current?.focus();
        else run(() => unwrap(window.caregate.enrolDesk({ address, code })));
      }}
    >
      <Field
        code
        autoFocus
        label={text('enrol.code')}
        help={text('enrol.codeHelp')}
        error={isShort ? text('enrol.typeCode') : isRefused ? formatProblem(problem) : undefined}
        value={code}
        onChange={(typed) => {
          setCode(
            typed
              .toUpperCase()
              .replaceAll(/[^0-9A-Z]/gu, '')
              .slice(0, codeLength),
          );
          setShort(false);
          clear();
        }}
        inputRef={input}
        maxLength={40}
      />
    </GateForm>
  );
}

function BrowserSignIn({ children }: WithOtherClinic) {
  const text = useText();
  const { clinicName, provider } = useStatus();
  const { begin, cancel, waiting, problem } = useBrowser();
  return (
    <Stack gap="gap4">
      <Heading
        title={text('signIn.title')}
        lead={text('browser.help', { clinic: clinicName ?? text('app.name') })}
      />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {waiting ? (
        <BrowserWait onCancel={cancel} />
      ) : (
        <Row>
          <Button kind="main" autoFocus onPress={begin}>
            <Icon of={ExternalLink} />
            {text('browser.submit', { provider: provider?.name ?? '' })}
          </Button>
          {children}
        </Row>
      )}
    </Stack>
  );
}

export function BrowserWait({ onCancel }: { readonly onCancel: () => void }) {
  const text = useText();
  const { provider } = useStatus();
  return (
    <>
      <Banner kind="accent" role="status">
        <p>
          <b>{text('browser.waiting')}</b>
          <br />
          {text('browser.waitingHelp', { provider: provider?.name ?? '' })}
        </p>
      </Banner>
      <Row>
        <Button autoFocus onPress={onCancel}>
          {text('state.cancel')}
        </Button>
      </Row>
    </>
  );
}

/** Runs one browser sign-in at a time. */
export function useBrowser() {
  const { signingIn } = useStatus();
  const { run, working, problem } = useAttempt();
  const waiting = working || signingIn;
  return {
    waiting,
    problem,
    begin: () => {
      if (!waiting) run(() => unwrap(window.caregate.beginSignIn({})));
    },
    cancel: () => void window.caregate.cancelSignIn({}),
  };
}

function Demo() {
  const text = useText();
  const formatRole = useFormatRole();
  const { demo } = useStatus();
  const { run, problem } = useAttempt();
  if (demo === undefined) return null;
  return (
    <Stack as="section" className={styles['demo']} aria-label={text('gate.demo')}>
      <Quiet as="p" className="body">
        {text('signIn.demo')}
      </Quiet>
      {demo.staff.map(({ subject, name, role }) => (
        <Button
          key={subject}
          onPress={() => run(() => unwrap(window.caregate.beginSignIn({ subject })))}
        >
          <Avatar name={name} />
          <span className="stack grow">
            <span>
              {text('signIn.as')} <b>{name}</b>
            </span>
            <Quiet size="meta">{formatRole(role)}</Quiet>
          </span>
        </Button>
      ))}
      <DemoPin />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Stack>
  );
}

/** Shows the PIN of the demo's fictional users. It shows nothing at a clinic. */
export function DemoPin() {
  const text = useText();
  const { demo } = useStatus();
  if (demo === undefined) return null;
  return (
    <Quiet as="p" size="meta">
      {text('signIn.demoPin', { pin: demo.pin })}
    </Quiet>
  );
}
