import { randomBytes, randomUUID } from 'node:crypto';
import { BrowserWindow, webContents, type Session, type WebContents } from 'electron';
import { parseLabelSize, PRINT_NUMBER, type Size } from '../../shared/print-kinds.ts';
import type {
  Preview,
  Printable,
  PrintResult,
  Printers,
  PrintRequest,
} from '../../shared/print.ts';
import { succeed, fail, type Outcome, type Problem } from '../../shared/problem.ts';
import { createPrintNumber, type DeskAction } from '../audit/desk-recorder.ts';
import { saveFile } from '../audit/save-file.main.ts';
import { saveRecorded } from '../audit/save-recorded.ts';
import { APP_SCHEME } from '../window/sender.ts';
import { FIT_LABEL, renderLabel } from './label-html.ts';
import { PAPER_SIZES, renderPrintDocument } from './print-html.ts';
import { spool } from './spooler.ts';

/** Printed documents have another origin than the page, so that nothing printed can call main. */
const host = 'print';
const origin = `${APP_SCHEME}://${host}`;

const documents = {
  insurance: 'insurance',
  labs: 'lab_report',
  disclosures: 'disclosures',
  label: 'label',
} as const satisfies Record<Printable['kind'], DeskAction['document']>;

/** A document after its layout in a hidden window. */
interface RenderedDocument {
  readonly contents: WebContents;
  readonly pdf: Uint8Array<ArrayBuffer>;
  readonly pages: number;
}

/** Lays out documents in a hidden window, and previews, saves and prints them. It stores no document. */
export class PrintService {
  readonly #session: Session;
  readonly #html = new Map<string, { html: string; nonce: string }>();
  readonly #record: (action: DeskAction) => Promise<Problem | undefined>;
  #clearController = new AbortController();

  /** Nothing is printed or saved before `record` has resolved. */
  constructor(session: Session, record: (action: DeskAction) => Promise<Problem | undefined>) {
    this.#session = session;
    this.#record = record;
    session.webRequest.onBeforeRequest(({ url }, callback) =>
      callback({ cancel: !url.startsWith(`${origin}/`) }),
    );
    session.protocol.handle(APP_SCHEME, (request) => this.#serve(request));
    session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
    session.on('will-download', (event) => event.preventDefault());
  }

  async preview(document: Printable): Promise<Outcome<Preview>> {
    const { signal } = this.#clearController;
    return this.#layOut(document, createPrintNumber(Date.now()), signal, ({ pdf, pages }) =>
      Promise.resolve(succeed({ pdf, pages })),
    );
  }

  async listPrinters(senderId: number): Promise<Printers> {
    const printers = (await webContents.fromId(senderId)?.getPrintersAsync()) ?? [];
    return printers.slice(0, 500).map(({ name, displayName }) => ({
      name,
      label: displayName === '' ? name : displayName,
    }));
  }

  /** Records the document under a number that is printed on each page, and then prints or saves it. */
  async print(request: PrintRequest, senderId: number): Promise<Outcome<PrintResult>> {
    const { signal } = this.#clearController;
    const { document, to, printer: name = '', copies } = request;
    if (to === 'printer') {
      const printers = await this.listPrinters(senderId);
      if (!printers.some((one) => one.name === name)) return succeed({ result: 'printerGone' });
    }
    const number = createPrintNumber(Date.now());
    return this.#layOut(document, number, signal, async (rendered) => {
      const { pdf, pages } = rendered;
      const { kind, recordIds = [] } = document;
      const action = { document: documents[kind], number, pages, recordIds };
      if (to === 'file') {
        const saved = await saveRecorded(
          { name: `caregate-${kind}.pdf`, content: () => pdf },
          { ...action, kind: 'save' },
          {
            save: (file, make) => saveFile(senderId, file, make),
            record: this.#record,
            isOpen: () => !signal.aborted,
          },
        );
        return saved.ok ? succeed({ result: saved.value.saved ? 'done' : 'notDone' }) : saved;
      }
      const problem = await this.#record({ ...action, kind: 'print', copies });
      if (problem !== undefined) return { ok: false, problem };
      if (signal.aborted) return fail('cancelled');
      const isSent = await send(rendered, { printer: name, copies, size: getSize(document) });
      return succeed({ result: isSent ? 'done' : 'notDone' });
    });
  }

  /** Call this when the desk is locked. Cancels all prints that aren't recorded yet. */
  clear(): void {
    this.#clearController.abort();
    this.#clearController = new AbortController();
  }

  /** Loads a document twice, since its pages show the number of pages. */
  async #layOut<T>(
    document: Printable,
    number: string,
    signal: AbortSignal,
    use: (rendered: RenderedDocument) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        session: this.#session,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        spellcheck: false,
        // Main runs one script in an isolated world to measure a label. The content policy allows no other script.
        javascript: document.kind === 'label',
      },
    });
    const { webContents: contents } = window;
    const nonce = randomBytes(18).toString('base64');
    const load = async (html: string): Promise<void> => {
      const id = randomUUID();
      this.#html.set(id, { html, nonce });
      await contents.loadURL(`${origin}/${id}.html`).finally(() => this.#html.delete(id));
    };
    const toPdf = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const { width, height } = getSize(document);
      const pdf = await contents.printToPDF({
        preferCSSPageSize: true,
        pageSize: { width: width / 25.4, height: height / 25.4 },
        margins: { top: 0, bottom: 0, left: 0, right: 0 },
        printBackground: true,
        generateTaggedPDF: true,
      });
      return new Uint8Array(pdf);
    };
    try {
      if (document.kind === 'label') {
        const html = renderLabel(document, nonce);
        if (html === undefined) return fail('noLabel');
        await load(html);
        const script = { code: FIT_LABEL };
        const fits: unknown = await contents.executeJavaScriptInIsolatedWorld(1, [script]);
        if (fits !== true) return fail('noLabel');
      } else {
        const footer = document.footer.map((line) => line.replaceAll(PRINT_NUMBER, number));
        const loadWith = (pages: number): Promise<void> =>
          load(renderPrintDocument({ ...document, footer }, { nonce, pages }));
        await loadWith(0);
        await loadWith(countPages(await toPdf()));
      }
      const pdf = await toPdf();
      if (signal.aborted) return fail('cancelled');
      return await use({ contents, pdf, pages: countPages(pdf) });
    } finally {
      if (!window.isDestroyed()) window.destroy();
    }
  }

  #serve(request: Request): Response {
    const url = new URL(request.url);
    const [, id = ''] = /^\/([\da-f-]+)\.html$/u.exec(url.pathname) ?? [];
    const page = this.#html.get(id);
    const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    if (url.host !== host || request.method !== 'GET' || page === undefined) {
      return new Response(null, { status: 404, headers: commonHeaders });
    }
    const policy = `default-src 'none'; style-src 'nonce-${page.nonce}'; font-src data:; base-uri 'none'; form-action 'none'`;
    return new Response(page.html, {
      headers: {
        ...commonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      },
    });
  }
}

/** CUPS gets the PDF. Without CUPS, Chromium prints the hidden window. */
async function send(
  { contents, pdf }: RenderedDocument,
  job: { readonly printer: string; readonly copies: number; readonly size: Size },
): Promise<boolean> {
  const { printer, copies, size } = job;
  if (process.platform !== 'win32') {
    const isAccepted = await spool(pdf, { printer, copies, media: formatMedia(size) });
    if (isAccepted !== undefined) return isAccepted;
  }
  return new Promise((resolve) => {
    contents.print(
      {
        silent: true,
        deviceName: printer,
        copies,
        margins: { marginType: 'none' },
        // Electron expects micrometers.
        pageSize: { width: Math.round(size.width * 1000), height: Math.round(size.height * 1000) },
      },
      resolve,
    );
  });
}

function getSize(document: Printable): Size {
  if (document.kind !== 'label') return PAPER_SIZES[document.paper];
  const size = parseLabelSize(document.size);
  if (size === undefined) throw new RangeError(`Unknown label size ${document.size}`);
  return size;
}

function formatMedia(size: Size): string {
  if (size === PAPER_SIZES.a4) return 'A4';
  if (size === PAPER_SIZES.letter) return 'Letter';
  return `Custom.${String(size.width)}x${String(size.height)}mm`;
}

/** Counts the page objects of the PDF, which Chromium doesn't compress. */
function countPages(pdf: Uint8Array): number {
  const objects = Buffer.from(pdf).toString('latin1');
  return objects.match(/\/Type\s*\/Page(?![A-Za-z])/gu)?.length ?? 0;
}
