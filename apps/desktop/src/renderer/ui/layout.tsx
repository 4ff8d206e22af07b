import { createElement, type HTMLAttributes, type ReactElement, type ReactNode } from 'react';

interface BoxProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'div' | 'form' | 'footer' | 'header' | 'p' | 'section' | 'span' | 'ul';
}

type Gap = 'tight' | 'gap1' | 'gap2' | 'gap3' | 'gap4' | 'gap6' | 'wide';

export function Row({ gap = 'gap2', ...props }: BoxProps & { readonly gap?: Gap }) {
  return renderBox(['row', gap], props);
}

export function Stack({ gap = 'gap2', ...props }: BoxProps & { readonly gap?: Gap }) {
  return renderBox(['stack', gap], props);
}

export function Quiet({
  size,
  ...props
}: BoxProps & { readonly size?: 'row13' | 'meta' | 'help' }) {
  return renderBox(size === undefined ? ['quiet'] : ['quiet', size], { as: 'span', ...props });
}

export function VisuallyHidden({
  as: Tag = 'span',
  children,
}: {
  readonly as?: 'h1' | 'span';
  readonly children: ReactNode;
}) {
  return <Tag className="unseen">{children}</Tag>;
}

function renderBox(
  names: readonly string[],
  { as = 'div', className, ...props }: BoxProps,
): ReactElement {
  return createElement(as, { ...props, className: [...names, className ?? ''].join(' ').trim() });
}
