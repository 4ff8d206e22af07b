import { useCallback, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useWorkspace, useWorkspaceState, type HeaderSlots } from './workspace.tsx';

type SlotName = keyof HeaderSlots;

/** A place in the patient's header, or in the toolbar of a screen without one, for a control of the current screen. */
export function HeaderSlot({ name }: { readonly name: SlotName }) {
  const { setHeaderSlot } = useWorkspace();
  const attach = useCallback(
    (element: HTMLElement | null) => setHeaderSlot(name, element),
    [name, setHeaderSlot],
  );
  return <span ref={attach} className="line gap2" />;
}

/** Renders the children in the patient's header, or in place if there is no header. */
export function InHeader(props: { readonly slot: SlotName; readonly children: ReactNode }) {
  const { [props.slot]: element } = useWorkspaceState('headerSlots');
  return element ? createPortal(props.children, element) : props.children;
}
