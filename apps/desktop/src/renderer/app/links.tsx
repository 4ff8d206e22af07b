import { Heading } from 'react-aria-components/Heading';
import { Button, Code } from '../ui/controls.tsx';
import { Row } from '../ui/layout.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { changePage, getPageState, usePageState } from '../api/app-state.ts';
import { useLookUp } from './look-up.tsx';
import { useMask } from './mask.tsx';
import { useIsAuditor } from './me.tsx';
import { useSelection } from './selection.tsx';
import { toast } from './toasts.ts';
import { useText } from '../i18n/text.tsx';
import styles from './links.module.css';

/** Asks for confirmation before a link from another program opens anything. */
export function LinkQuestion() {
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

/** A new link doesn't replace one that still waits for confirmation. */
export function subscribeToLinks(): void {
  window.caregate.onState(({ link }) => {
    if (link === undefined || getPageState().link !== undefined) return;
    if ('target' in link) changePage({ link: link.target });
    else toast.warn(`link.refused.${link.refused}`);
  });
}

function closeLink(): void {
  changePage({ link: undefined });
}
