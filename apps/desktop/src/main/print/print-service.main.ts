import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { BrowserWindow, dialog, webContents } from 'electron';
import type { PrintToPDFOptions, Session } from 'electron';
import labelFont from 'inter-ui/web-latin/Inter-SemiBold-subset.woff2?inline';
import { PRINT_NUMBER } from '../../bridge/print-kinds.ts';
import type { Size } from '../../bridge/print-kinds.ts';
import type { Label } from '../../bridge/print.ts';
import type { Made, PrintDocument, SendRequest, Sent } from '../../bridge/print.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { printNumber } from '../audit/desk-recorder.ts';
import type { DeskAct } from '../audit/desk-recorder.ts';
import { APP_SCHEME } from '../window/sender.ts';
import { claimNumber, HeldPrints } from './held-prints.ts';
import type { Held } from './held-prints.ts';
import { labelHtml } from './label-html.ts';
import { layOutLabel } from './label-layout.ts';
import { mediaOf, PAPER_SIZES } from './paper.ts';
import { footerHtml, headerHtml, printHtml } from './print-html.ts';
import { actOf, sendPrint } from './send-print.ts';
import { spool } from './spooler.ts';

/** Another origin than the page's, so that nothing printed can call main. */
const host = 'print';
const origin = `${APP_SCHEME}://${host}`;

/** Makes PDFs and keeps them in memory: the same bytes are previewed, saved and printed. */
export class PrintService {
  readonly #session: Session;
  readonly #pages = new Map<string, { html: string; nonce: string }>();
  readonly #held = new HeldPrints();
  readonly #record: (act: DeskAct) => Promise<Problem | undefined>;

  /** Nothing is printed or saved before `record` resolves. */
  constructor(session: Session, record: (act: DeskAct) => Promise<Problem | undefined>) {
    this.#session = session;
    this.#record = record;
    session.webRequest.onBeforeRequest(({ url }, callback) => {
      callback({ cancel: !url.startsWith(`${origin}/`) });
    });
    session.protocol.handle(APP_SCHEME, (request) => this.#serve(request));
    session.setPermissionRequestHandler((_contents, _permission, callback) => {
      callback(false);
    });
    session.on('will-download', (event) => {
      event.preventDefault();
    });
  }

  /** Undefined if the window is gone, or everything was discarded meanwhile. */
  make(asked: PrintDocument, senderId: number): Promise<Made | undefined> {
    const { kind, paper, recordIds = [] } = asked;
    const number = printNumber(Date.now());
    const footer = asked.footer.map((line) => line.replaceAll(PRINT_NUMBER, number));
    const document = { ...asked, footer };
    const size = PAPER_SIZES[paper];
    return this.#make((nonce) => printHtml(document, nonce), {
      senderId,
      about: { kind, size, media: mediaOf(size, paper), recordIds, number },
      options: {
        displayHeaderFooter: true,
        headerTemplate: headerHtml(document),
        footerTemplate: footerHtml(document),
      },
    });
  }

  async makeLabel(label: Label, senderId: number): Promise<Outcome<Made>> {
    const layout = layOutLabel(label);
    if (layout === undefined) return failed('noLabel');
    const { size } = layout;
    const { recordIds } = label;
    const made = await this.#make((nonce) => labelHtml(label, layout, { nonce, font: labelFont }), {
      senderId,
      about: {
        kind: 'label',
        size,
        media: mediaOf(size),
        recordIds,
        number: printNumber(Date.now()),
      },
      options: { margins: { top: 0, bottom: 0, left: 0, right: 0 } },
    });
    return made === undefined ? failed('cancelled') : done(made);
  }

  async #make(
    html: (nonce: string) => string,
    {
      senderId,
      about,
      options,
    }: {
      senderId: number;
      about: Omit<Held, 'pdf' | 'pages' | 'isUsed' | 'recordedCopies'>;
      options: PrintToPDFOptions;
    },
  ): Promise<Made | undefined> {
    const { era } = this.#held;
    const id = randomUUID();
    const nonce = randomBytes(18).toString('base64');
    this.#pages.set(id, { html: html(nonce), nonce });
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        session: this.#session,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        spellcheck: false,
        javascript: false,
      },
    });
    try {
      await window.loadURL(`${origin}/${id}.html`);
      const { width, height } = about.size;
      const pdf = new Uint8Array(
        await window.webContents.printToPDF({
          preferCSSPageSize: true,
          pageSize: { width: width / 25.4, height: height / 25.4 },
          printBackground: true,
          generateTaggedPDF: true,
          ...options,
        }),
      );
      const sender = webContents.fromId(senderId);
      if (era !== this.#held.era || sender === undefined) return undefined;
      const pages = pagesIn(pdf);
      this.#held.hold(sender, id, {
        ...about,
        pdf,
        pages,
        isUsed: false,
        recordedCopies: undefined,
      });
      return { id, bytes: pdf.byteLength, pages };
    } finally {
      this.#pages.delete(id);
      if (!window.isDestroyed()) window.destroy();
    }
  }

  /** Undefined if it was discarded. */
  read(id: string, senderId: number): Uint8Array<ArrayBuffer> | undefined {
    return this.#held.get(senderId, id)?.pdf;
  }

  /** `cancelled` if it was discarded, or its number is used. */
  async save(id: string, senderId: number): Promise<Outcome<boolean>> {
    const held = this.#held.get(senderId, id);
    if (held === undefined || held.isUsed) return failed('cancelled');
    const { era } = this.#held;
    const sender = webContents.fromId(senderId);
    const parent = sender === undefined ? null : BrowserWindow.fromWebContents(sender);
    const options = {
      // File names are seen by many programs: no patient in them.
      defaultPath: `caregate-${held.kind}.pdf`,
      filters: [{ name: 'PDF', extensions: ['pdf'] }],
    };
    const { filePath, canceled } = await (parent === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(parent, options));
    if (canceled || era !== this.#held.era) return done(false);
    if (!claimNumber(held)) return failed('cancelled');
    const problem = await this.#record({ ...actOf(held), kind: 'save' });
    if (problem !== undefined) return { ok: false, problem };
    if (era !== this.#held.era) return done(false);
    await writeFile(filePath, held.pdf, { mode: 0o600 });
    return done(true);
  }

  /**
   * Prints; `cancelled` if it was discarded or its number is used. Bytes go to the spooler; without one (Windows),
   * and for the system's dialog, the page lays out the sheets and sends `pages`.
   */
  async send(wanted: SendRequest, senderId: number): Promise<Outcome<Sent['result']>> {
    const { id, printer, copies } = wanted;
    const sent = await this.#held.printing(senderId, id, (held, isWanted) => {
      const { pdf, media, size } = held;
      return sendPrint(held, wanted, {
        ...{ record: this.#record, isWanted },
        spool: async () =>
          printer === undefined || process.platform === 'win32'
            ? undefined
            : spool(pdf, { printer, copies, media }),
        printSheets: () => this.#printSender(wanted, size, senderId),
      });
    });
    return sent ?? failed('cancelled');
  }

  /** Discards it; what isn't with a printer yet is never printed. */
  cancel(id: string, senderId: number): void {
    this.#held.cancel(senderId, id);
  }

  #printSender(
    { printer, copies }: SendRequest,
    { width, height }: Size,
    senderId: number,
  ): Promise<Sent['result']> {
    return new Promise((resolve) => {
      const sender = webContents.fromId(senderId);
      if (sender === undefined) {
        resolve('notSent');
        return;
      }
      sender.print(
        {
          silent: printer !== undefined,
          ...(printer !== undefined && { deviceName: printer }),
          copies,
          margins: { marginType: 'none' },
          // Micrometres.
          pageSize: { width: Math.round(width * 1000), height: Math.round(height * 1000) },
        },
        (sent) => {
          resolve(sent ? 'sent' : 'notSent');
        },
      );
    });
  }

  clear(): void {
    this.#pages.clear();
    this.#held.clear();
  }

  #serve(request: Request): Response {
    const url = new URL(request.url);
    const [, id = ''] = /^\/([\da-f-]+)\.html$/u.exec(url.pathname) ?? [];
    const page = this.#pages.get(id);
    const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    if (url.host !== host || request.method !== 'GET' || page === undefined) {
      return new Response(null, { status: 404, headers: common });
    }
    const policy = `default-src 'none'; style-src 'nonce-${page.nonce}'; font-src data:; base-uri 'none'; form-action 'none'`;
    return new Response(page.html, {
      headers: {
        ...common,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      },
    });
  }
}

function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** Page objects are uncompressed in Chromium's PDFs. */
function pagesIn(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type\s*\/Page(?![A-Za-z])/gu)?.length ?? 0
  );
}
