import { draw, free } from './pdf-reader.ts';
import type { PdfPage } from './pdf-reader.ts';

/** Draws a page while it is at most a screen from view: all would fill the memory. Returns the function that stops it. */
export function renderWhileVisible(sheet: HTMLElement, page: PdfPage): () => void {
  let near = false;
  let pixels = 0;
  let drawing: ReturnType<typeof draw> | undefined;

  const clear = (): void => {
    drawing?.cancel();
    drawing = undefined;
    for (const canvas of sheet.querySelectorAll('canvas')) free(canvas);
    sheet.replaceChildren();
  };
  const redraw = (): void => {
    if (!near || pixels === 0) {
      clear();
      return;
    }
    drawing?.cancel();
    const next = draw(page, pixels);
    drawing = next;
    sheet.setAttribute('aria-busy', 'true');
    next.done.then(
      () => {
        if (drawing !== next) return;
        drawing = undefined;
        clear();
        sheet.append(next.canvas);
        sheet.setAttribute('aria-busy', 'false');
      },
      () => {
        // Cancelled.
      },
    );
  };

  const sizes = new ResizeObserver(([entry]) => {
    const wide = entry?.devicePixelContentBoxSize[0]?.inlineSize ?? 0;
    if (wide === pixels) return;
    pixels = wide;
    redraw();
  });
  const sight = new IntersectionObserver(
    (entries) => {
      const { isIntersecting } = entries.at(-1) ?? { isIntersecting: false };
      if (isIntersecting === near) return;
      near = isIntersecting;
      redraw();
    },
    { root: sheet.parentElement, rootMargin: '100%' },
  );
  sizes.observe(sheet, { box: 'device-pixel-content-box' });
  sight.observe(sheet);
  return () => {
    sizes.disconnect();
    sight.disconnect();
    clear();
  };
}
