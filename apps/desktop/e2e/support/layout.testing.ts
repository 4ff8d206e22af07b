import { writeFileSync } from 'node:fs';
import type { BrowserWindow } from 'electron';
import type { ElectronApplication, JSHandle, Page } from 'playwright-core';
import type { Desktop } from './desktop.testing.ts';

/** The size of the window's content in screen pixels, and its zoom factor. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

/** Resizes the window, sets its zoom, and waits until the page has been laid out. */
export async function resize(
  { app, page }: Pick<Desktop, 'app' | 'page'>,
  size: Size,
): Promise<void> {
  const window = windows.get(page) ?? (await windowOf(app, page));
  windows.set(page, window);
  const set = (): Promise<void> =>
    window.evaluate((of, { width, height, zoom }) => {
      of.setMinimumSize(1, 1);
      of.setContentSize(width, height);
      of.webContents.setZoomFactor(zoom);
    }, size);
  await set().catch(set);
  await page.evaluate(async ({ width, height, zoom }) => {
    // The page has whole pixels, so it may be off by one.
    while (Math.abs(innerWidth - width / zoom) > 1 || Math.abs(innerHeight - height / zoom) > 1) {
      await new Promise(requestAnimationFrame);
    }
  }, size);
}

/** The window of each page, since finding it takes three calls. */
const windows = new WeakMap<Page, JSHandle<BrowserWindow>>();

async function windowOf(app: ElectronApplication, page: Page): Promise<JSHandle<BrowserWindow>> {
  // Electron may lose the promise of a call before it answers. Repeating the call has no side effect.
  const ask = (): Promise<JSHandle> => app.browserWindow(page);
  return (await ask().catch(ask)) as JSHandle<BrowserWindow>;
}

/** Takes a picture of the window. Playwright's own would show only the upper left part of a zoomed window. */
export async function picture({ app, page }: Desktop, path: string): Promise<void> {
  const window = (await app.browserWindow(page)) as JSHandle<BrowserWindow>;
  const png = await window.evaluate(async (of) =>
    (await of.webContents.capturePage()).toPNG().toString('base64'),
  );
  await window.dispose();
  writeFileSync(path, png, 'base64');
}

/** Returns the layout faults of the page once two checks in a row have the same result. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(faultsInPage);
}

/** Call this after the last check. Rows out of sight are then skipped by the layout again. */
export async function endLooks(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
}

/**
 * Runs in the page. Finds overlapping texts, and texts that are cut without an ellipsis and a title. Content that can be
 * scrolled into view counts as visible. Content that is scrolled out of its pane can't overlap another pane.
 */
async function faultsInPage(): Promise<string[]> {
  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  interface Line extends Box {
    readonly text: string;
    readonly node: Node;
    readonly element: Element;
    readonly layer: Element;
  }
  type Axis = 'x' | 'y';

  // Rows out of sight are laid out from now on. Doing so for each check would lay out and paint the whole page twice.
  if (document.adoptedStyleSheets.length === 0) {
    const whole = new CSSStyleSheet();
    whole.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [whole];
  }
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
  for (let before: string | undefined; ;) {
    await document.fonts.ready;
    await frame();
    await frame();
    const found = faultsNow();
    const now = JSON.stringify(found);
    if (now === before) return found;
    before = now;
  }

  function faultsNow(): string[] {
    const axes = ['x', 'y'] as const;
    const ends = { x: ['left', 'right'], y: ['top', 'bottom'] } as const;
    const slack = 1;
    const quoted = (text: string): string =>
      `“${text.trim().replaceAll(/\s+/gu, ' ').slice(0, 60)}”`;
    /** Nothing changes during a check, so each answer is stored. */
    const once = <T>(ask: (of: Element) => T): ((of: Element) => T) => {
      const known = new Map<Element, T>();
      return (of) => {
        const answer = known.get(of) ?? ask(of);
        known.set(of, answer);
        return answer;
      };
    };
    const styleOf = once((of) => getComputedStyle(of));
    const ancestors = once((of) => {
      const found: Element[] = [];
      for (let at: Element | null = of; at !== null; at = at.parentElement) found.push(at);
      return found;
    });
    /** The box to which an element clips its content, which is inside its border. */
    const inner = once((of): Box => {
      const { left, top } = of.getBoundingClientRect();
      const [x, y] = [left + of.clientLeft, top + of.clientTop];
      return { left: x, top: y, right: x + of.clientWidth, bottom: y + of.clientHeight };
    });
    /** The page itself scrolls, but clips nothing. */
    const clippingOf = (of: Element, axis: Axis): 'none' | 'scrolls' | 'cuts' => {
      if (of === document.documentElement || of === document.body) return 'none';
      const style = styleOf(of);
      if (style.display === 'inline' || style.display === 'contents') return 'none';
      const overflow = axis === 'x' ? style.overflowX : style.overflowY;
      if (overflow === 'visible') return 'none';
      return overflow === 'hidden' || overflow === 'clip' ? 'cuts' : 'scrolls';
    };
    const clippings = once((of) => ({ x: clippingOf(of, 'x'), y: clippingOf(of, 'y') }));
    const scrollOf = once((of) => ({
      x: {
        scrolled: of.scrollLeft,
        size: of.scrollWidth,
        isBackwards: styleOf(of).direction === 'rtl',
      },
      y: { scrolled: of.scrollTop, size: of.scrollHeight, isBackwards: false },
    }));
    /** The ancestors that clip an element. */
    const panes = once((of) =>
      ancestors(of).filter((one) => Object.values(clippings(one)).some((how) => how !== 'none')),
    );
    /** Whether an element is only for screen readers. */
    const isUnseen = once((of): boolean => {
      const { clipPath, position } = styleOf(of);
      if (clipPath === 'inset(50%)') return true;
      if (position === 'absolute') {
        const { width, height } = of.getBoundingClientRect();
        if (width <= 1 && height <= 1) return true;
      }
      return of.parentElement !== null && isUnseen(of.parentElement);
    });
    /** A floating element, such as a dialog or a toast, is checked as a layer of its own. */
    const layerOf = once((of): Element => {
      if (of.matches('[data-react-aria-top-layer]')) return of;
      if (styleOf(of).position === 'fixed') {
        const { width, height } = of.getBoundingClientRect();
        if (width >= innerWidth - slack && height >= innerHeight - slack) return of;
      }
      return of.parentElement === null ? document.body : layerOf(of.parentElement);
    });

    const found = new Set<string>();
    const lines: Line[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      const element = node.parentElement;
      if (element === null || text.trim() === '' || element.closest('select') !== null) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (isUnseen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const size = Number.parseFloat(styleOf(element).fontSize);
      for (const { left, top, right, bottom } of range.getClientRects()) {
        if (right - left < slack || bottom - top < slack) continue;
        // The box of a line may be higher than its letters, so the letters are measured.
        const middle = (top + bottom) / 2;
        const half = Math.min(bottom - top, size * 0.9) / 2;
        const line = { left, right, top: middle - half, bottom: middle + half };
        lines.push({ ...line, text, node, element, layer: layerOf(element) });
      }
    }

    const hasTitle = (of: Element, text: string): boolean =>
      ancestors(of).some((one) => one.getAttribute('title')?.includes(text.trim()) === true);
    /** Reports a line that is cut or can't be scrolled into view. Returns whether a part of it is visible. */
    const isKept = (line: Line): boolean => {
      const left: Box = { ...line };
      for (const of of panes(line.element)) {
        const box = inner(of);
        for (const axis of axes) {
          const [start, end] = ends[axis];
          const how = clippings(of)[axis];
          if (how === 'none') continue;
          if (how === 'scrolls') scrollsTo(line, left, of, axis);
          else if (left[start] < box[start] - slack || left[end] > box[end] + slack) {
            const { textOverflow, webkitLineClamp } = styleOf(of);
            const isSaid = axis === 'x' ? textOverflow === 'ellipsis' : webkitLineClamp !== 'none';
            if (!isSaid || !hasTitle(line.element, line.text))
              found.add(`Cut: ${quoted(line.text)}`);
          }
          left[start] = Math.max(left[start], box[start]);
          left[end] = Math.min(left[end], box[end]);
          if (left[end] > left[start]) continue;
          if (how === 'cuts') return false;
          // After scrolling, the line is somewhere in the pane.
          [left[start], left[end]] = [box[start], box[end]];
        }
      }
      return true;
    };
    const scrollsTo = (line: Line, left: Box, pane: Element, axis: Axis): void => {
      const box = inner(pane);
      const [start, end] = ends[axis];
      const { scrolled, size, isBackwards } = scrollOf(pane)[axis];
      const from = isBackwards ? box[end] - scrolled - size : box[start] - scrolled;
      if (left[start] < from - slack || left[end] > from + size + slack) {
        found.add(`Out of reach: ${quoted(line.text)}`);
      }
      if (box[end] - box[start] < Math.min(16, line[end] - line[start])) {
        found.add(`No room to scroll to: ${quoted(line.text)}`);
      }
    };
    /** Inside the same pane, all content is compared. With content outside of it, only the visible part is compared. */
    const seenFrom = (line: Line, other: Element): Box => {
      const box = { ...line };
      for (const of of panes(line.element)) {
        if (of.contains(other)) break;
        for (const axis of axes) {
          if (clippings(of)[axis] === 'none') continue;
          const clip = inner(of);
          const [start, end] = ends[axis];
          box[start] = Math.max(box[start], clip[start]);
          box[end] = Math.min(box[end], clip[end]);
        }
      }
      return box;
    };
    /** An opaque sticky element may cover content that scrolls under it. */
    const sticks = (of: Element, apartFrom: Element): boolean =>
      ancestors(of).some((one) => {
        if (one.contains(apartFrom)) return false;
        const { position, backgroundColor } = styleOf(one);
        return position === 'sticky' && !/, 0\)$|transparent/u.test(backgroundColor);
      });
    const overlap = (a: Box, b: Box): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;

    const compared = lines.filter(isKept);
    compared.sort((a, b) => a.top - b.top);
    for (const [index, a] of compared.entries()) {
      for (let next = index + 1; next < compared.length; next += 1) {
        const b = compared[next]!;
        if (b.top >= a.bottom) break;
        if (a.layer !== b.layer || !overlap(a, b)) continue;
        // A text with an ellipsis has two boxes: one of the visible part, and one of the whole text.
        if (a.node === b.node && a.top === b.top) continue;
        if (!overlap(seenFrom(a, b.element), seenFrom(b, a.element))) continue;
        if (sticks(a.element, b.element) || sticks(b.element, a.element)) continue;
        found.add(`Over each other: ${quoted(a.text)} and ${quoted(b.text)}`);
      }
    }

    return [...found].sort();
  }
}
