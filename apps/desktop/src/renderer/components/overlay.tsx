import type { ReactElement, ReactNode } from 'react';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './overlay.module.css';

/** Over the whole window; Escape and a click beside it close it, and the focus goes back to where it was. */
export function Overlay(props: {
  /** In the middle of the window unless told otherwise. */
  readonly place?: 'middle' | 'top' | 'end';
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { place = 'middle', onClose, children } = props;
  const where = place === 'middle' ? '' : (styles[place] ?? '');
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={`${styles['overlay'] ?? ''} ${where}`}
    >
      <Modal className={styles['modal'] ?? ''}>{children}</Modal>
    </ModalOverlay>
  );
}
