import type { Desktop } from './desktop.testing.ts';
import { eventually } from './desktop.testing.ts';

/** A printer that pages are shown to, and that is done with them when the test says so. */
export interface HeldPrinter {
  /** Until it has got one more print than before. */
  next(): Promise<void>;
  /** Is done with everything that it got. */
  finish(): Promise<void>;
  /** How many documents were laid out in the page at each print. */
  sheets(): Promise<number[]>;
}

interface Print {
  readonly sheets: number;
  readonly done: () => void;
}

/** Puts such a printer behind every window, also those that are opened later. */
export async function holdPrints({ app }: Desktop): Promise<HeldPrinter> {
  await app.evaluate(({ app: electron, webContents }) => {
    const global = globalThis as unknown as { prints?: Print[] };
    const isFirst = global.prints === undefined;
    global.prints = [];
    if (!isFirst) return;
    const hold = (contents: Electron.WebContents): void => {
      contents.print = (_options, callback) => {
        const counted = contents.executeJavaScript(
          `[...document.body.children].filter((one) => one.querySelector(':scope > img')).length`,
        ) as Promise<number>;
        const done = (): void => callback?.(true, '');
        void counted.then((sheets) => global.prints?.push({ sheets, done }));
      };
    };
    for (const contents of webContents.getAllWebContents()) hold(contents);
    electron.on('web-contents-created', (_event, contents) => {
      hold(contents);
    });
  });
  const sheets = async (): Promise<number[]> => {
    for (;;) {
      try {
        return await app.evaluate(() =>
          (globalThis as unknown as { prints: Print[] }).prints.map((print) => print.sheets),
        );
      } catch (error) {
        // The debugger of main now and then loses the end of a call.
        if (!/promise was garbage collected/iu.test(String(error))) throw error;
      }
    }
  };
  let seen = 0;
  return {
    next: async () => {
      await eventually('the print', async () =>
        (await sheets()).length > seen ? true : undefined,
      );
      seen += 1;
    },
    finish: async () => {
      await app.evaluate(() => {
        for (const { done } of (globalThis as unknown as { prints: Print[] }).prints) done();
      });
    },
    sheets,
  };
}
