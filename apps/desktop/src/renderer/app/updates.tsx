import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { UpdateKind, UpdateState } from '../../shared/update.ts';
import { useUpdate } from '../api/app-state.ts';
import { useText } from '../i18n/text.tsx';
import { Button, Code } from '../ui/controls.tsx';
import { momentText } from '../ui/values/dates.tsx';

export function Updates(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const update = useUpdate();
  const checked = update.checkedAt && momentText(intl, update.checkedAt);
  return (
    <section aria-label={text('about.updates')}>
      <h2>{text('about.updates')}</h2>
      <div role="status">
        <UpdateSentence update={update} />
      </div>
      {checked && <p>{text('update.checkedAt', { time: checked })}</p>}
      {update.isDevelopment && <p>{text('update.development')}</p>}
      <div>
        <Button onPress={() => void window.caregate.checkForUpdate({})}>
          {text('update.ask')}
        </Button>
      </div>
    </section>
  );
}

/** Shown before the sign-in too: an administrator has to act or wait. */
const NOTED: ReadonlySet<UpdateKind> = new Set([
  'unsigned',
  'wrongFile',
  'told',
  'waiting',
  'installing',
  'failed',
]);

export function UpdateNote({ className }: { className: string | undefined }): ReactElement | null {
  const update = useUpdate();
  if (!NOTED.has(update.kind)) return null;
  return (
    <div role="status" className={className}>
      <UpdateSentence update={update} />
    </div>
  );
}

function UpdateSentence({ update }: { readonly update: UpdateState }): ReactElement {
  const text = useText();
  const { kind, version = '', hold = '', file } = update;
  return (
    <p>
      {text(`update.${kind}`, { version, hold })} {file !== undefined && <Code>{file}</Code>}
    </p>
  );
}
