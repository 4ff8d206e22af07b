import { useState, type SyntheticEvent } from 'react';
import { Button, Field } from '../../../ui/controls.tsx';
import { useMasked } from '../../../app/mask.tsx';
import { useAutoFocus } from '../../../app/navigation.tsx';
import { useSelection } from '../../../app/selection.tsx';
import { useText } from '../../../i18n/text.tsx';
import styles from './orders.module.css';

/** Opens an order by its number, for services that have no list of orders. */
export function OrderField({ onOpen }: { onOpen: (id: string) => void }) {
  const text = useText();
  const { order } = useSelection();
  const masked = useMasked();
  const field = useAutoFocus<HTMLInputElement>();
  const [typed, setTyped] = useState(order ?? '');
  const id = typed.trim();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '') onOpen(id);
  };
  return (
    <form onSubmit={onSubmit} className={`stack gap2 ${styles['more'] ?? ''}`}>
      <Field
        code
        inputRef={field}
        type={masked ? 'password' : 'text'}
        label={text('labs.orderId')}
        help={text('labs.help')}
        value={typed}
        onChange={setTyped}
        maxLength={1024}
        autoComplete="off"
      />
      <Button kind="main" type="submit" isDisabled={id === ''}>
        {text('labs.submit')}
      </Button>
    </form>
  );
}
