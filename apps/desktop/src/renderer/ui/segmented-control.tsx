import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Icon } from './icon.tsx';
import { Row } from './layout.tsx';
import styles from './segmented-control.module.css';

export function SegmentedControl<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [
    value: T,
    text: ReactNode,
    icon?: LucideIcon | undefined,
  ])[];
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean;
  readonly quiet?: boolean;
}) {
  const { label, value, options, onChange, isDisabled = false, quiet = false } = props;
  return (
    <Row>
      {!quiet && <span aria-hidden="true">{label}</span>}
      <ToggleButtonGroup
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        isDisabled={isDisabled}
        selectedKeys={[value]}
        onSelectionChange={(keys) => {
          const selected = options.find(([one]) => keys.has(one));
          if (selected !== undefined) onChange(selected[0]);
        }}
        className={styles['options'] ?? ''}
      >
        {options.map(([one, text, icon]) => (
          <ToggleButton key={one} id={one} className={`inset ${styles['option'] ?? ''}`}>
            {icon !== undefined && <Icon of={icon} />}
            {icon === undefined ? text : <span className="spare">{text}</span>}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Row>
  );
}
