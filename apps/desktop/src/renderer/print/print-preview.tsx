import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { Loading } from '../components/loading.tsx';
import { useText } from '../text/text.tsx';
import { renderWhileVisible } from './render-while-visible.ts';
import { sizeOf } from './pdf-reader.ts';
import type { PdfPage } from './pdf-reader.ts';
import styles from './print-preview.module.css';

/** CSS pixels; a card is enlarged to be readable. */
const widest = 480;

export function PrintPreview(props: {
  readonly pages: readonly PdfPage[] | undefined;
  readonly isFailed: boolean;
}): ReactElement {
  const { pages, isFailed } = props;
  const text = useText();
  return (
    <div className={styles['preview']}>
      <div
        role="region"
        aria-label={text('print.preview')}
        tabIndex={0}
        className={styles['pages']}
      >
        {isFailed && <p role="alert">{text('print.notShown')}</p>}
        {pages === undefined && !isFailed && <Loading />}
        {pages?.map((page) => (
          <Sheet key={page.pageNumber} page={page} count={pages.length} />
        ))}
      </div>
      <p className={styles['caption']}>
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
        inlineSize: `min(100%, ${String(Math.max(width, widest))}px)`,
        aspectRatio: `${String(width)} / ${String(height)}`,
      }}
    />
  );
}
