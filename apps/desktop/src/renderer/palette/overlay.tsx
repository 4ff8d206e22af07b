import type { ReactElement, ReactNode } from 'react';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './palette.module.css';

/** Over the whole window; Escape and a click beside it close it, and the focus goes back to where it was. */
export function Overlay(props: {
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { onClose, children } = props;
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles['overlay'] ?? ''}
    >
      <Modal>{children}</Modal>
    </ModalOverlay>
  );
}
