import { useState } from 'react';
import type { ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import type { Problem } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Card } from '../../components/surfaces.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { usePolicy, useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useRoleText, useText } from '../../text/text.tsx';
import { BrowserSignIn } from './browser-sign-in.tsx';
import { Connect, Enrol } from './connect.tsx';
import { Heading, OtherClinic } from './gate-form.tsx';
import { FirstSteps, GateFrame } from './gate-frame.tsx';
import styles from './gate.module.css';
import { KeySignIn } from './key-sign-in.tsx';
import { heals, isAwaited, isTooFarApart, useClinicOf } from './use-clinic.ts';

export function SignInScreen(): ReactElement {
  const text = useText();
  const status = useStatus();
  const isFixed = usePolicy().fixed.includes('address');
  const { reason, provider, enrolled, keys } = status;
  const [address, setAddress] = useState(status.address);
  const [isConnecting, setConnecting] = useState(address === '' && !isFixed);
  const [byKey, setByKey] = useState(false);
  const { isReady, problem, retry } = useClinicOf(isConnecting ? '' : status.address, enrolled);
  const onBack = isFixed
    ? undefined
    : () => {
        setConnecting(true);
      };
  const onKey = (): void => {
    setByKey(true);
  };
  const way = viewOf({ provider, enrolled, byKey, problem });
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
      {problem !== undefined && isTooFarApart(problem) && view !== 'connect' && (
        <ProblemNote problem={problem} />
      )}
      {view === 'asking' && (
        <>
          <h1>{text('signIn.title')}</h1>
          <Loading what="connect.address" />
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
      {view === 'unreached' && problem !== undefined && (
        <Unreached problem={problem} onRetry={retry} onKey={onKey} onBack={onBack} />
      )}
      {view === 'enrol' && <Enrol onBack={onBack} />}
      {view === 'browser' && <BrowserSignIn onKey={keys ? onKey : undefined} onBack={onBack} />}
      {view === 'key' && (
        <KeySignIn
          address={status.address === '' ? address : status.address}
          instead={
            byKey && (provider !== undefined || problem !== undefined)
              ? {
                  label: provider === undefined ? 'signIn.waitInstead' : 'browser.instead',
                  onPress: () => {
                    setByKey(false);
                  },
                }
              : undefined
          }
        />
      )}
      <Demo />
    </FirstSteps>
  );
}

function viewOf(parts: {
  provider: { name: string } | undefined;
  enrolled: boolean;
  byKey: boolean;
  problem: Problem | undefined;
}): 'enrol' | 'browser' | 'key' | 'unreached' {
  const { provider, enrolled, byKey, problem } = parts;
  if (byKey) return 'key';
  if (provider !== undefined) return enrolled ? 'browser' : 'enrol';
  return problem !== undefined && isAwaited(problem, enrolled) ? 'unreached' : 'key';
}

function Unreached(props: {
  readonly problem: Problem;
  readonly onRetry: () => void;
  readonly onKey: () => void;
  readonly onBack: (() => void) | undefined;
}): ReactElement {
  const { problem, onRetry, onKey, onBack } = props;
  const text = useText();
  return (
    <Stack gap="gap4">
      <Heading
        title={text('signIn.title')}
        lead={heals(problem) ? text('signIn.keepsTrying') : undefined}
      />
      <ProblemNote problem={problem} onRetry={onRetry} />
      <Row>
        <Button kind="quiet" onPress={onKey}>
          {text('browser.byKey')}
        </Button>
        <OtherClinic onPress={onBack} />
      </Row>
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
        {demo.roles.map((role) => (
          <Button
            key={role}
            onPress={() => {
              run(() => unwrap(window.caregate.signInToDemo({ role })));
            }}
          >
            {roleText(role)}
          </Button>
        ))}
      </Row>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Stack>
  );
}
