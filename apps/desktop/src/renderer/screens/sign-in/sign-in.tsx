import { useState } from 'react';
import type { ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import type { Reason } from '../../../bridge/app-state.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { usePolicy, useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import { BrowserSignIn } from './browser-sign-in.tsx';
import { Connect } from './connect.tsx';
import { Demo } from './demo.tsx';
import { Enrol } from './enrol.tsx';
import styles from './gate.module.css';
import { GateFrame } from './gate-frame.tsx';
import { KeySignIn } from './key-sign-in.tsx';
import { Steps } from './steps.tsx';
import { Unreached } from './unreached.tsx';
import { isAwaited, isTooFarApart, useClinicOf } from './use-clinic.ts';

/** The way in: the clinic's address and this desk once, then whoever comes, through the browser or by a key. */
export function SignInScreen(): ReactElement {
  const text = useText();
  const status = useStatus();
  const isFixed = usePolicy().fixed.includes('address');
  const { reason, provider, enrolled, keys } = status;
  const [address, setAddress] = useState(status.address);
  const [isConnecting, setConnecting] = useState(address === '' && !isFixed);
  const [byKey, setByKey] = useState(false);
  // Whoever names another clinic waits for this one no more.
  const { isAsked, problem, ask } = useClinicOf(isConnecting ? '' : status.address, enrolled);
  const back = (): void => {
    setConnecting(true);
  };
  const view = isConnecting
    ? 'connect'
    : isAsked
      ? viewOf({ provider, enrolled, byKey, problem })
      : 'asking';
  return (
    <GateFrame label={text('signIn.title')}>
      <div className={styles['first']}>
        <Steps at={view === 'connect' || view === 'enrol' ? 'connect' : 'signIn'} />
        <div className={styles['card']}>
          {reason !== undefined && isSaidHere(reason) && view !== 'enrol' && (
            <p role="status">{text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS })}</p>
          )}
          {problem !== undefined && isTooFarApart(problem) && view !== 'connect' && (
            <ProblemNote problem={problem} />
          )}
          {view === 'asking' && (
            <>
              <h1>{text('signIn.title')}</h1>
              <Loading />
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
            <Unreached
              problem={problem}
              onRetry={ask}
              onKey={() => {
                setByKey(true);
              }}
              onBack={isFixed ? undefined : back}
            />
          )}
          {view === 'enrol' && <Enrol onBack={isFixed ? undefined : back} />}
          {view === 'browser' && (
            <BrowserSignIn
              onKey={
                keys
                  ? () => {
                      setByKey(true);
                    }
                  : undefined
              }
              onBack={isFixed ? undefined : back}
            />
          )}
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
        </div>
      </div>
    </GateFrame>
  );
}

const isSaidHere = (reason: Reason): boolean => reason !== 'asked' && reason !== 'switched';

/** A clinic with a provider signs in through it, without one by a key; and so whoever doesn't wait for its service. */
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
