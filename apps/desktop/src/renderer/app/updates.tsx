import type { UpdateState } from '../../shared/update.ts';
import { useUpdate } from '../api/app-state.ts';
import { useText } from '../i18n/text.tsx';

export function UpdateSentence() {
  const text = useText();
  const { kind, version = '' } = useUpdate();
  return <span role="status">{text(`update.${kind}`, { version })}</span>;
}

/** Updates that are also announced before the sign-in. */
const NEWS: ReadonlySet<UpdateState['kind']> = new Set(['ready', 'wrongFile', 'failed']);

export function UpdateNote({ className }: { className: string | undefined }) {
  if (!NEWS.has(useUpdate().kind)) return null;
  return (
    <p className={className}>
      <UpdateSentence />
    </p>
  );
}
