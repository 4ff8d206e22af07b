import { ExternalLink } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import { Heading, OtherClinic } from './gate-form.tsx';
import styles from './gate.module.css';

export function BrowserSignIn({
  onBack,
}: {
  readonly onBack: (() => void) | undefined;
}): ReactElement {
  const text = useText();
  const { clinicName, deskName, provider } = useStatus();
  const { begin, cancel, waiting, problem } = useBrowser();
  return (
    <Stack gap="gap4">
      <Heading
        title={text('signIn.title')}
        lead={text(deskName === undefined ? 'browser.help' : 'browser.helpDesk', {
          clinic: clinicName ?? text('app.name'),
          desk: deskName ?? '',
        })}
      />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {waiting ? (
        <>
          <BrowserWait />
          <Row>
            <Button autoFocus onPress={cancel}>
              {text('state.cancel')}
            </Button>
          </Row>
        </>
      ) : (
        <Row>
          <Button kind="main" autoFocus onPress={begin}>
            <Icon of={ExternalLink} />
            {text('browser.submit', { provider: provider?.name ?? '' })}
          </Button>
          <OtherClinic onPress={onBack} />
        </Row>
      )}
    </Stack>
  );
}

export function BrowserWait({ children }: { readonly children?: ReactNode }): ReactElement {
  const text = useText();
  const { provider } = useStatus();
  return (
    <Banner kind="accent" role="status" className={styles['roomy']}>
      <Stack gap="gap1">
        <b>{text('browser.waiting')}</b>
        <p>{text('browser.waitingHelp', { provider: provider?.name ?? '' })}</p>
        {children !== undefined && <div>{children}</div>}
      </Stack>
    </Banner>
  );
}

interface Browser {
  readonly begin: () => void;
  readonly cancel: () => void;
  readonly waiting: boolean;
  readonly problem: Problem | undefined;
}

/** One at a time, whichever window began it. */
export function useBrowser(): Browser {
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
