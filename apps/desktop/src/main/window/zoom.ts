import { ZOOMS } from '../../bridge/app-state.ts';
import type { ZoomStep } from '../../bridge/app-state.ts';

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
