import type { ReactElement } from 'react';
import { Heading } from 'react-aria-components/Heading';
import { Button, Code } from '../ui/controls.tsx';
import { Row } from '../ui/layout.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { usePageState } from '../api/app-state.ts';
import { closeLink } from './link.ts';
import { useLookUp } from './look-up.tsx';
import { useMask } from './mask.tsx';
import { useIsAuditor } from './me.tsx';
import { useSelection } from './selection.tsx';
import { useText } from '../i18n/text.tsx';
import styles from './links.module.css';

/** Asks for confirmation before a link from another program opens anything. */
export function LinkQuestion(): ReactElement | null {
  const text = useText();
  const mask = useMask();
  const link = usePageState('link');
  const isAuditor = useIsAuditor();
  const { lookUp, cancel, dismiss } = useLookUp();
  const { openOrderAlone } = useSelection();
  if (link === undefined) return null;
  const { kind, id } = link;
  const open = (): void => {
    closeLink();
    if (kind === 'person') {
      lookUp(id);
      return;
    }
    cancel();
    dismiss();
    openOrderAlone(id);
  };
  return (
    <Overlay role="alertdialog" onClose={closeLink} className={styles['question'] ?? ''}>
      <Heading slot="title">{text(`link.${kind}`)}</Heading>
      <p className={styles['id']}>
        <Code>{mask(id)}</Code>
      </p>
      <p>{text(isAuditor ? 'link.auditor' : 'link.asks')}</p>
      <Row>
        {!isAuditor && (
          <Button kind="main" onPress={open}>
            {text('find.open')}
          </Button>
        )}
        {/* The dialog opens by itself, so Enter must not open the link by accident. */}
        <Button autoFocus onPress={closeLink}>
          {text('link.leave')}
        </Button>
      </Row>
    </Overlay>
  );
}
