import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Loading } from '../../components/loading.tsx';
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

/** The way in: the clinic's address and this desk once, then whoever comes, through the browser or by a key. */
export function SignInScreen(): ReactElement {
  const text = useText();
  const status = useStatus();
  const isFixed = usePolicy().fixed.includes('address');
  const { reason, provider, enrolled, keys } = status;
  const [address, setAddress] = useState(status.address);
  const [isConnecting, setConnecting] = useState(address === '' && !isFixed);
  const [byKey, setByKey] = useState(false);
  const isAsked = useClinicOf(status.address);
  const back = (): void => {
    setConnecting(true);
  };
  const view = isConnecting
    ? 'connect'
    : isAsked
      ? viewOf({ provider, enrolled, byKey })
      : 'asking';
  return (
    <GateFrame label={text('signIn.title')}>
      <div className={styles['first']}>
        <Steps at={view === 'connect' || view === 'enrol' ? 'connect' : 'signIn'} />
        <div className={styles['card']}>
          {reason !== undefined && reason !== 'asked' && reason !== 'switched' && (
            <p role="status">{text(`reason.${reason}`)}</p>
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
              onBrowser={
                provider === undefined
                  ? undefined
                  : () => {
                      setByKey(false);
                    }
              }
            />
          )}
          <Demo />
        </div>
      </div>
    </GateFrame>
  );
}

/** A clinic with a provider signs in through it; without one, or where it couldn't be asked, by a key. */
function viewOf(parts: {
  provider: { name: string } | undefined;
  enrolled: boolean;
  byKey: boolean;
}): 'enrol' | 'browser' | 'key' {
  const { provider, enrolled, byKey } = parts;
  if (provider === undefined || byKey) return 'key';
  return enrolled ? 'browser' : 'enrol';
}

/** Asks the service that is known already how one signs in there; true once it has answered, or can't. */
function useClinicOf(address: string): boolean {
  const [asked, setAsked] = useState<string>();
  useEffect(() => {
    let wanted = true;
    if (address === '') return undefined;
    void window.caregate.lookUpService({ address }).then(() => {
      if (wanted) setAsked(address);
    });
    return () => {
      wanted = false;
    };
  }, [address]);
  return address === '' || asked === address;
}
