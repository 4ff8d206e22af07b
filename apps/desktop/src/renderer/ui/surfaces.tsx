import type { LucideIcon } from 'lucide-react';
import type { HTMLAttributes, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Quiet } from './layout.tsx';
import styles from './surfaces.module.css';

function joinClasses(...names: readonly (string | undefined)[]): string {
  return names.map((name = '') => styles[name] ?? name).join(' ');
}

export function Card({
  as: Tag = 'div',
  className,
  ...props
}: HTMLAttributes<HTMLElement> & {
  readonly as?: 'div' | 'li';
}) {
  return <Tag {...props} className={joinClasses('card', className)} />;
}

export function Banner({
  kind,
  className,
  ...props
}: HTMLAttributes<HTMLElement> & {
  readonly kind: 'notice' | 'flag' | 'accent';
}) {
  return <div {...props} className={joinClasses('banner', kind, className)} />;
}

export function Chip(props: {
  readonly kind?: 'notice' | 'flag' | undefined;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <span className={joinClasses('chip', props.kind)}>
      <Icon of={props.icon} />
      {props.children}
    </span>
  );
}

export function Empty(props: { readonly title: string; readonly help: string }) {
  return (
    <div className={styles['empty']}>
      <p>
        <b>{props.title}</b>
      </p>
      <Quiet as="p" size="row13">
        {props.help}
      </Quiet>
    </div>
  );
}

export function Facts(props: {
  readonly entries?: readonly (readonly [label: string, value: ReactNode])[];
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}) {
  const { entries = [], className, children } = props;
  return (
    <dl className={joinClasses('facts', className)}>
      {entries.map(([label, value]) => (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ))}
      {children}
    </dl>
  );
}

export function Fact(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
