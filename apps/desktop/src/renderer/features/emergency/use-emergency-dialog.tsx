import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useSelection } from '../../app/selection.tsx';

const EmergencyDialog = lazy(() => import('./emergency-dialog.tsx'));

/**
 * Provides the dialog that requests emergency access to the open patient. Render `dialog` beside the button that calls
 * `open`.
 */
export function useEmergencyDialog(): { readonly open: () => void; readonly dialog: ReactNode } {
  const { person } = useSelection();
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: isOpen && person !== undefined && (
      <Suspense>
        <EmergencyDialog person={person} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
