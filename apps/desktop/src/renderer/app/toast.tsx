import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { usePageState } from '../api/app-state.ts';
import { unsay } from './say.ts';
import type { Notice } from './say.ts';
import { useText } from '../i18n/text.tsx';
import { IconButton } from '../ui/controls.tsx';
import { Stack } from '../ui/layout.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import styles from './toast.module.css';

/** All notices, the newest last. */
export function Toasts(): ReactElement {
  const notices = usePageState('notices');
  return (
    // React Aria hides what lies beside a dialog, but for this.
    <div data-react-aria-top-layer="true" className={styles['place']}>
      <div role="status" className={styles['passing']}>
        {notices.map(
          (notice) => notice.kind === 'event' && <Passing key={notice.key} notice={notice} />,
        )}
      </div>
      {notices.map(
        (notice) => notice.kind !== 'event' && <Lasting key={notice.key} notice={notice} />,
      )}
    </div>
  );
}

function Passing({
  notice,
}: {
  readonly notice: Extract<Notice, { kind: 'event' }>;
}): ReactElement {
  const text = useText();
  useEffect(() => {
    const timer = setTimeout(() => {
      unsay(notice.key);
    }, 10_000);
    return () => {
      clearTimeout(timer);
    };
  }, [notice]);
  return <p className={styles['toast']}>{text(notice.key, notice.values)}</p>;
}

function Lasting({
  notice,
}: {
  readonly notice: Exclude<Notice, { kind: 'event' }>;
}): ReactElement {
  const text = useText();
  return (
    <div className={styles['toast']}>
      {notice.kind === 'problem' ? (
        <Stack>
          <p>{text(notice.key)}</p>
          <ProblemNote problem={notice.problem} />
        </Stack>
      ) : (
        <p role="alert">{text(notice.key, notice.values)}</p>
      )}
      <IconButton
        icon={X}
        label={text('notice.close')}
        onPress={() => {
          unsay(notice.key);
        }}
      />
    </div>
  );
}
