import { lazy, Suspense, useState } from 'react';
import { useSelection } from '../../app/selection.tsx';

const EmergencyDialog = lazy(() => import('./emergency-dialog.tsx'));

/**
 * Provides the dialog that requests emergency access to the open patient. Render `dialog` beside the button that calls
 * `open`.
 */
export function useEmergencyDialog() {
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
