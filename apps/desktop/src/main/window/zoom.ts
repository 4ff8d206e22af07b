import { ZOOMS } from '../../bridge/app-state.ts';
import type { ZoomStep } from '../../bridge/app-state.ts';

/** The part of Electron's `Input` of a key that says what was pressed. */
export interface KeyPress {
  readonly type: string;
  readonly key: string;
  readonly code: string;
  readonly control: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
}

const steps: Readonly<Record<string, ZoomStep>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'reset',
};
/** Where the key that says 0 on the row of digits needs Shift for it. */
const codes: Readonly<Record<string, ZoomStep>> = { Digit0: 'reset' };

/** What browsers take Ctrl (on a Mac, Cmd) with Plus, Minus and 0 for, also on the number pad. */
export function zoomStepOf(press: KeyPress): ZoomStep | undefined {
  const { type, key, code, control, meta, alt } = press;
  // AltGr is Ctrl and Alt, and types a character.
  if (type !== 'keyDown' || control === meta || alt) return undefined;
  return own(steps, key) ?? own(codes, code);
}

function own(from: Readonly<Record<string, ZoomStep>>, name: string): ZoomStep | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** The zoom after a step, in per cent; the least and the most stay. */
export function zoomed(zoom: number, step: ZoomStep): number {
  switch (step) {
    case 'in':
      return ZOOMS.find((one) => one > zoom) ?? zoom;
    case 'out':
      return ZOOMS.findLast((one) => one < zoom) ?? zoom;
    case 'reset':
      return 100;
  }
}
