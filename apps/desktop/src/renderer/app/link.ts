import { changePage, getPageState } from '../api/app-state.ts';
import { toast } from './toasts.ts';

/** A new link doesn't replace one that still waits for confirmation. */
export function subscribeToLinks(): void {
  window.caregate.onState(({ link }) => {
    if (link === undefined || getPageState().link !== undefined) return;
    if ('target' in link) changePage({ link: link.target });
    else toast.warn(`link.refused.${link.refused}`);
  });
}

export function closeLink(): void {
  changePage({ link: undefined });
}
