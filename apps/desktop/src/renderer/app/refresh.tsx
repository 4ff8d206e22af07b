import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { createPortal } from 'react-dom';
import { Button, KeyCap } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Quiet } from '../ui/layout.tsx';
import { useFormatAsOf } from '../ui/values/dates.tsx';
import { useText } from '../i18n/text.tsx';
import { formatKeys, useCommand } from './keyboard.ts';
import { useWorkspaceState } from './workspace.tsx';

/** Shows the age of the screen's data in the patient's header, and reads it again, also by F5. */
export function Refresh(props: {
  readonly oldest: string | undefined;
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}): ReactElement | null {
  const { oldest, isFetching, onRefresh } = props;
  const text = useText();
  const formatAsOf = useFormatAsOf();
  const element = useWorkspaceState('headerEnd');
  useCommand('refresh', onRefresh);
  if (element === null) return null;
  return createPortal(
    <>
      {oldest !== undefined && <Quiet size="meta">{formatAsOf(oldest)}</Quiet>}
      <Button kind="quiet" isDisabled={isFetching} onPress={onRefresh}>
        <Icon of={RefreshCw} />
        {text('labs.refresh')}
        <KeyCap isSilent keys={formatKeys('refresh')} />
      </Button>
    </>,
    element,
  );
}
