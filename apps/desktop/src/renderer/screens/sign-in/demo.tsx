import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { useSignIn } from './use-sign-in.ts';

/** Made-up people, where the desktop was started with a demo. */
export function Demo(): ReactElement | null {
  const text = useText();
  const roleText = useRoleText();
  const { demo } = useStatus();
  const { run, problem } = useSignIn(() => undefined);
  if (demo === undefined) return null;
  return (
    <section className={styles['demo']} aria-label={text('signIn.demo')}>
      <h2>{text('signIn.demo')}</h2>
      <div className={styles['actions']}>
        {demo.roles.map((role) => (
          <Button
            key={role}
            onPress={() => {
              run(() => window.caregate.signInToDemo({ role }));
            }}
          >
            {roleText(role)}
          </Button>
        ))}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </section>
  );
}
