import { useState } from 'react';
import type { ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import type { Problem } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { usePolicy, useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { useRoleText, useText } from '../../i18n/text.tsx';
import { BrowserSignIn } from './browser-sign-in.tsx';
import { Connect, Enrol } from './connect.tsx';
import { DemoPin } from './demo-pin.tsx';
import { Heading, OtherClinic } from './gate-form.tsx';
import { FirstSteps, GateFrame } from './gate-frame.tsx';
import styles from './gate.module.css';
import { heals, isTooFarApart, useClinicOf } from './use-clinic.ts';

export function SignInScreen(): ReactElement {
  const text = useText();
  const status = useStatus();
  const isFixed = usePolicy().fixed.includes('address');
  const { reason, provider, enrolled } = status;
  const [address, setAddress] = useState(status.address);
  const [isConnecting, setConnecting] = useState(address === '' && !isFixed);
  const { isReady, problem, retry } = useClinicOf(isConnecting ? '' : status.address);
  const onBack = isFixed
    ? undefined
    : () => {
        setConnecting(true);
      };
  const way = viewOf({ provider, enrolled, problem });
  const view = isConnecting ? 'connect' : isReady ? way : 'asking';
  if (view === 'enrol' && reason === 'deskRevoked') {
    return (
      <GateFrame
        label={text('signIn.title')}
        reason={text('enrol.shut')}
        keys={<span>{text('enrol.pinsAfter')}</span>}
      >
        <Card className={styles['card']}>
          <Enrol onBack={onBack} />
          <Demo />
        </Card>
      </GateFrame>
    );
  }
  const isSaid = reason !== undefined && reason !== 'asked' && reason !== 'switched';
  return (
    <FirstSteps
      label={text('signIn.title')}
      at={view === 'connect' || view === 'enrol' ? 'connect' : 'signIn'}
    >
      {isSaid && view !== 'enrol' && (
        <p role="status">{text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS })}</p>
      )}
      {view === 'asking' && (
        <>
          <h1>{text('signIn.title')}</h1>
          <Loading what="about.address" />
        </>
      )}
      {view === 'connect' && (
        <Connect
          address={address}
          onDone={(found) => {
            setAddress(found);
            setConnecting(false);
          }}
        />
      )}
      {view === 'unreached' && (
        <Unreached problem={problem ?? { kind: 'noProvider' }} onRetry={retry} onBack={onBack} />
      )}
      {view === 'enrol' && <Enrol onBack={onBack} />}
      {view === 'browser' && <BrowserSignIn onBack={onBack} />}
      <Demo />
    </FirstSteps>
  );
}

function viewOf(parts: {
  provider: { name: string } | undefined;
  enrolled: boolean;
  problem: Problem | undefined;
}): 'enrol' | 'browser' | 'unreached' {
  const { provider, enrolled, problem } = parts;
  if (provider === undefined || (problem !== undefined && isTooFarApart(problem))) {
    return 'unreached';
  }
  return enrolled ? 'browser' : 'enrol';
}

function Unreached(props: {
  readonly problem: Problem;
  readonly onRetry: () => void;
  readonly onBack: (() => void) | undefined;
}): ReactElement {
  const { problem, onRetry, onBack } = props;
  const text = useText();
  return (
    <Stack gap="gap4">
      <Heading
        title={text('signIn.title')}
        lead={heals(problem) ? text('signIn.keepsTrying') : undefined}
      />
      <ProblemNote problem={problem} onRetry={onRetry} />
      <OtherClinic onPress={onBack} />
    </Stack>
  );
}

function Demo(): ReactElement | null {
  const text = useText();
  const roleText = useRoleText();
  const { demo } = useStatus();
  const { run, problem } = useAttempt();
  if (demo === undefined) return null;
  return (
    <Stack as="section" gap="gap3" className={styles['demo']} aria-label={text('signIn.demo')}>
      <h2>{text('signIn.demo')}</h2>
      <Row>
        {demo.staff.map(({ subject, role }) => (
          <Button
            key={subject}
            onPress={() => {
              run(() => unwrap(window.caregate.beginSignIn({ subject })));
            }}
          >
            {roleText(role)}
          </Button>
        ))}
      </Row>
      <DemoPin />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Stack>
  );
}
