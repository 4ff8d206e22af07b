import type { ReactElement } from 'react';
import { Row } from '../../ui/layout.tsx';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import styles from './find.module.css';

export function Keys({
  of,
}: {
  of: readonly (readonly [key: string | undefined, does: MessageKey])[];
}): ReactElement {
  const text = useText();
  return (
    <Row as="p" className={`quiet meta ${styles['keys'] ?? ''}`}>
      {of.map(([key, does]) => (
        <span key={does}>
          {key !== undefined && <kbd>{key}</kbd>} {text(does)}
        </span>
      ))}
    </Row>
  );
}
