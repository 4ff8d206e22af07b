import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './gate.module.css';

export function Demo(): ReactElement | null {
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
