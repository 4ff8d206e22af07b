import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, Code, Field } from '../../../ui/controls.tsx';
import { hidden, useMasked } from '../../../app/mask.tsx';
import { useAutoFocus } from '../../../app/navigation.tsx';
import { useRecents, useSelection } from '../../../app/selection.tsx';
import { useText } from '../../../i18n/text.tsx';
import styles from './orders.module.css';

const maxRecents = 3;

/** Opens an order by number, for services without a list. */
export function OrderField({ onOpen }: { onOpen: (id: string) => void }): ReactElement {
  const text = useText();
  const { orders } = useRecents();
  const { person, order } = useSelection();
  const masked = useMasked();
  const field = useAutoFocus<HTMLInputElement>();
  const [typed, setTyped] = useState(order ?? '');
  const id = typed.trim();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '') onOpen(id);
  };
  const personId = person?.value.user_id;
  // Orders of another patient are never offered.
  const recents = orders
    .filter((one) => one.personId === personId && one.id !== order)
    .slice(0, maxRecents);
  return (
    <>
      <form onSubmit={onSubmit} className={styles['form']}>
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
      {recents.length > 0 && (
        <div
          role="group"
          aria-label={text('labs.recents')}
          className={`quiet meta ${styles['recents'] ?? ''}`}
        >
          <span aria-hidden="true">{text('labs.recents')}</span>
          {recents.map((recent, place) => (
            <Button
              key={recent.id}
              onPress={() => {
                setTyped(recent.id);
                onOpen(recent.id);
              }}
            >
              <Code>{masked ? `${hidden} ${String(place + 1)}` : recent.id}</Code>
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
