import { LockKeyhole } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { useRole } from '../../state/me.tsx';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './overview.module.css';

export function Part(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { title, about, action, children } = props;
  return (
    <Stack as="section" aria-label={title} className={styles['part']}>
      <Row className={styles['head']}>
        <h2>{title}</h2>
        <Row as="span" gap="gap2" className={`quiet meta narrow wrap ${styles['about'] ?? ''}`}>
          {about}
        </Row>
        {action}
      </Row>
      {children}
    </Stack>
  );
}

export function Shut({
  screen,
}: {
  readonly screen: 'labs' | 'insurance' | 'activity';
}): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const role = useRole();
  return (
    <p className="line gap2 quiet row13">
      <Icon of={LockKeyhole} />
      {text(`refused.${screen}`, {
        role: role === undefined ? text('refused.you') : roleText(role),
      })}
    </p>
  );
}
