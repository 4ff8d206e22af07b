import { Dialog, type DialogProps } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './overlay.module.css';

export function Overlay({
  place = 'middle',
  onClose,
  className,
  ...props
}: DialogProps & {
  readonly place?: 'middle' | 'top' | 'end' | 'side';
  readonly onClose: () => void;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={`${styles['overlay'] ?? ''} ${styles[place] ?? ''}`}
    >
      <Modal className={styles['modal'] ?? ''}>
        <Dialog {...props} className={`${styles['dialog'] ?? ''} ${className ?? ''}`} />
      </Modal>
    </ModalOverlay>
  );
}
