import type { ReactElement } from 'react';
import { useText } from '../../../text/text.tsx';
import styles from './results.module.css';

/** Opens what else a row has, under it. Its picture is drawn by the style: there may be five hundred. */
export function DetailsButton(props: {
  readonly name: string;
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}): ReactElement {
  const { name, controls, isOpen, onChange } = props;
  const text = useText();
  const label = text('labs.detailsOf', { name });
  return (
    <button
      type="button"
      className={styles['open']}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={label}
      title={label}
      onClick={() => {
        onChange(!isOpen);
      }}
    />
  );
}
