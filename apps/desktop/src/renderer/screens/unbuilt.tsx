import type { ReactElement } from 'react';
import { useText } from '../text/text.tsx';

/** Stands where a screen will be. */
export function Unbuilt(): ReactElement {
  const text = useText();
  return <p>{text('screen.unbuilt')}</p>;
}
