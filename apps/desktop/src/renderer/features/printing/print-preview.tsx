// This import lets pdf.js run in the page. A worker would need a policy of Trusted Types.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useText } from '../../i18n/text.tsx';
import { Loading } from '../../ui/loading.tsx';
import styles from './print-preview.module.css';

export function PrintPreview(props: {
  readonly pdf: Uint8Array | undefined;
  readonly isFailed: boolean;
}) {
  const { pages, isFailed = props.isFailed } = usePages(props.pdf);
  const text = useText();
  return (
    <div
      role="region"
      aria-label={text('print.preview')}
      tabIndex={0}
      className={`stack one gap3 ${styles['preview'] ?? ''}`}
    >
      {isFailed && <p role="alert">{text('print.notShown')}</p>}
      {pages === undefined && !isFailed && <Loading />}
      {pages?.map((page) => (
        <Sheet key={page.pageNumber} page={page} count={pages.length} />
      ))}
    </div>
  );
}

function Sheet({ page, count }: { page: PDFPageProxy; count: number }) {
  const text = useText();
  const sheet = useRef<HTMLDivElement>(null);
  const pixels = useVisibleWidth(sheet);
  const [drawn, setDrawn] = useState(0);
  const { width, height } = page.getViewport({ scale: 1 });
  return (
    <div
      ref={sheet}
      role="img"
      aria-label={text('print.page', { number: page.pageNumber, count })}
      aria-busy={drawn !== pixels}
      className={styles['sheet']}
      style={{
        // The whole page is visible at any height of the panel.
        inlineSize: `min(100cqi, calc(100cqb * ${String(width / height)}))`,
        aspectRatio: `${String(width)} / ${String(height)}`,
      }}
    >
      {pixels > 0 && <Drawing key={pixels} page={page} pixels={pixels} onDrawn={setDrawn} />}
    </div>
  );
}

function Drawing(props: {
  readonly page: PDFPageProxy;
  readonly pixels: number;
  readonly onDrawn: (pixels: number) => void;
}) {
  const { page, pixels, onDrawn } = props;
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const viewport = page.getViewport({ scale: pixels / page.getViewport({ scale: 1 }).width });
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    const task = page.render({ canvas, viewport });
    task.promise.then(
      () => onDrawn(pixels),
      () => {
        // The rendering was cancelled.
      },
    );
    return () => {
      task.cancel();
      // This releases the memory before the next garbage collection.
      canvas.width = 0;
    };
  }, [page, pixels, onDrawn]);
  return <canvas ref={ref} />;
}

/**
 * Returns the width in device pixels. It is 0 while the page is more than a screen away, since drawing all pages at
 * once takes too much memory.
 */
function useVisibleWidth(sheet: RefObject<HTMLElement | null>): number {
  const [pixels, setPixels] = useState(0);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current } = sheet;
    if (current === null) return;
    const sizes = new ResizeObserver(([entry]) =>
      setPixels(entry?.devicePixelContentBoxSize[0]?.inlineSize ?? 0),
    );
    const sight = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting === true),
      { root: current.parentElement, rootMargin: '100%' },
    );
    sizes.observe(current, { box: 'device-pixel-content-box' });
    sight.observe(current);
    return () => {
      sizes.disconnect();
      sight.disconnect();
    };
  }, [sheet]);
  return isNear ? pixels : 0;
}

interface Opened {
  readonly pages?: readonly PDFPageProxy[];
  readonly isFailed?: boolean;
}

function usePages(pdf: Uint8Array | undefined): Opened {
  const [opened, setOpened] = useState<Opened & { readonly of?: Uint8Array }>({});
  useEffect(() => {
    if (pdf === undefined) return;
    // pdf.js takes ownership of the bytes, so it gets a copy.
    const task = getDocument({
      data: pdf.slice(),
      useWasm: false,
      useSystemFonts: false,
      useWorkerFetch: false,
      isOffscreenCanvasSupported: false,
      verbosity: 0,
    });
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const opening = await task.promise;
      const numbers = Array.from({ length: opening.numPages }, (_, index) => index + 1);
      const pages = await Promise.all(numbers.map((number) => opening.getPage(number)));
      if (isCurrent) setOpened({ of: pdf, pages });
    };
    open().catch(() => {
      if (isCurrent) setOpened({ of: pdf, isFailed: true });
    });
    return () => {
      isCurrent = false;
      void task.destroy();
    };
  }, [pdf]);
  return opened.of === pdf ? opened : {};
}
