import { RefreshCw } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, KeyCap } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Quiet } from '../ui/layout.tsx';
import { formatTime } from '../ui/values/dates.tsx';
import { useText } from '../i18n/text.tsx';
import { InHeader } from './header-slot.tsx';
import { formatKeys, useCommand } from './keyboard.ts';

/** Shows the age of the screen's data, and a button that reads the data again. */
export function Refresh(props: {
  readonly oldest: string | undefined;
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}) {
  const { oldest, isFetching, onRefresh } = props;
  const text = useText();
  const intl = useIntl();
  useCommand('refresh', onRefresh);
  return (
    <InHeader slot="refresh">
      {oldest !== undefined && (
        <Quiet size="meta">{text('state.asOf', { time: formatTime(intl, oldest) })}</Quiet>
      )}
      <Button kind="quiet" isDisabled={isFetching} onPress={onRefresh}>
        <Icon of={RefreshCw} />
        {text('labs.refresh')}
        <KeyCap isSilent keys={formatKeys('refresh')} />
      </Button>
    </InHeader>
  );
}
