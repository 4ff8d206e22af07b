import { ExternalLink } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import { OtherClinic } from './gate-frame.tsx';
import styles from './gate.module.css';
import { useBrowser } from './use-browser.ts';

/** Staff sign in as themselves, at the clinic's own provider, in the system's browser. */
export function BrowserSignIn(props: {
  /** Where a staff key signs in too. */
  readonly onKey: (() => void) | undefined;
  readonly onBack: (() => void) | undefined;
}): ReactElement {
  const { onKey, onBack } = props;
  const text = useText();
  const { clinicName, deskName, provider } = useStatus();
  const { begin, cancel, waiting, problem } = useBrowser();
  const name = provider?.name ?? '';
  return (
    <div className={styles['form']}>
      <div>
        <h1>{text('signIn.title')}</h1>
        <p className={styles['lead']}>
          {text(deskName === undefined ? 'browser.help' : 'browser.helpDesk', {
            clinic: clinicName ?? text('app.name'),
            desk: deskName ?? '',
          })}
        </p>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {waiting ? (
        <>
          <p role="status" className={styles['wait']}>
            <b>{text('browser.waiting')}</b>
            <br />
            {text('browser.waitingHelp', { provider: name })}
          </p>
          <div className={styles['actions']}>
            <Button autoFocus onPress={cancel}>
              {text('state.cancel')}
            </Button>
          </div>
        </>
      ) : (
        <div className={styles['actions']}>
          <Button kind="main" autoFocus onPress={begin}>
            <Icon of={ExternalLink} />
            {text('browser.submit', { provider: name })}
          </Button>
          <div className={styles['actions']}>
            {onKey !== undefined && (
              <Button kind="quiet" onPress={onKey}>
                {text('browser.byKey')}
              </Button>
            )}
            <OtherClinic onPress={onBack} />
          </div>
        </div>
      )}
    </div>
  );
}
