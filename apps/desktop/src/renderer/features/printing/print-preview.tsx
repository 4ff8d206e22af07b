import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { Loading } from '../../ui/loading.tsx';
import { unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import { renderWhileVisible } from './render-while-visible.ts';
import { pagesOf, PdfReader, sizeOf } from './pdf-reader.ts';
import type { PdfPage } from './pdf-reader.ts';
import styles from './print-preview.module.css';

export function PrintPreview(props: {
  readonly id: string | undefined;
  readonly isFailed: boolean;
}): ReactElement {
  const { pages, isFailed = props.isFailed } = usePdf(props.id);
  const text = useText();
  return (
    <div className={styles['preview']}>
      <div
        role="region"
        aria-label={text('print.preview')}
        tabIndex={0}
        className={`stack one gap4 ${styles['pages'] ?? ''}`}
      >
        {isFailed && <p role="alert">{text('print.notShown')}</p>}
        {pages === undefined && !isFailed && <Loading />}
        {pages?.map((page) => (
          <Sheet key={page.pageNumber} page={page} count={pages.length} />
        ))}
      </div>
      <p className={`quiet meta ${styles['caption'] ?? ''}`}>
        {pages === undefined ? '' : text('print.exact', { count: pages.length })}
      </p>
    </div>
  );
}

function Sheet({ page, count }: { page: PdfPage; count: number }): ReactElement {
  const text = useText();
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = sheet;
    return current === null ? undefined : renderWhileVisible(current, page);
  }, [page]);
  const { width, height } = sizeOf(page);
  return (
    <div
      ref={sheet}
      role="img"
      aria-label={text('print.page', { number: page.pageNumber, count })}
      aria-busy="true"
      className={styles['sheet']}
      style={{
        // Whole, however high the panel is.
        inlineSize: `min(100cqi, calc(100cqb * ${String(width / height)}))`,
        aspectRatio: `${String(width)} / ${String(height)}`,
      }}
    />
  );
}

interface Opened {
  readonly pages?: readonly PdfPage[];
  readonly isFailed?: boolean;
}

function usePdf(id: string | undefined): Opened {
  const [reader] = useState(() => new PdfReader());
  const [opened, setOpened] = useState<Opened & { readonly of?: string }>({});
  useEffect(
    () => () => {
      reader.close();
    },
    [reader],
  );
  useEffect(() => {
    if (id === undefined) return;
    let isCurrent = true;
    let end = (): void => undefined;
    const open = async (): Promise<readonly PdfPage[]> => {
      const { pdf } = await unwrap(window.caregate.readPrint({ id }));
      if (!isCurrent) return [];
      const task = reader.open(pdf);
      end = () => void task.destroy();
      return pagesOf(task);
    };
    open().then(
      (pages) => {
        if (isCurrent) setOpened({ of: id, pages });
      },
      () => {
        if (isCurrent) setOpened({ of: id, isFailed: true });
      },
    );
    return () => {
      isCurrent = false;
      end();
    };
  }, [reader, id]);
  return opened.of === id ? opened : {};
}
