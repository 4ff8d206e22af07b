import { Network } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** What the network proposes, which anybody on it could: it comes into the field only by somebody's word. */
export function Proposal(props: {
  readonly address: string;
  readonly onConfirm: () => void;
}): ReactElement {
  const { address, onConfirm } = props;
  const text = useText();
  return (
    <div role="status" className={styles['proposal']}>
      <Icon big of={Network} />
      <p>
        <b>{text('connect.proposed')}</b>
        <br />
        <code dir="ltr">{address}</code>
        <br />
        {text('connect.proposedHelp')}
      </p>
      <Button onPress={onConfirm}>{text('connect.useProposed')}</Button>
    </div>
  );
}
