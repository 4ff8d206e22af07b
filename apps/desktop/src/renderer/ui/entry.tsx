import { Button, type ButtonProps } from 'react-aria-components/Button';
import styles from './entry.module.css';

/** The class of an entry that isn't a button. `data-current` marks the current entry. */
export const entryClass = styles['entry'] ?? '';

export function Entry({
  current = false,
  className,
  ...props
}: Omit<ButtonProps, 'className'> & {
  readonly current?: 'page' | 'true' | false;
  readonly className?: string | undefined;
}) {
  return (
    <Button
      {...props}
      className={`${entryClass} ${className ?? ''}`}
      {...(current !== false && { 'aria-current': current })}
    />
  );
}
