import { randomBytes, randomUUID } from 'node:crypto';
import { BrowserWindow, webContents } from 'electron';
import type { Session } from 'electron';
import { PRINT_NUMBER } from '../../shared/print-kinds.ts';
import type { Size } from '../../shared/print-kinds.ts';
import type { Label } from '../../shared/print.ts';
import type { Made, PrintDocument, SendRequest, Sent } from '../../shared/print.ts';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome, Problem } from '../../shared/problem.ts';
import { printNumber } from '../audit/desk-recorder.ts';
import type { DeskAct } from '../audit/desk-recorder.ts';
import { saveFile } from '../audit/save-file.main.ts';
import { saveRecorded } from '../audit/save-recorded.ts';
import { APP_SCHEME } from '../window/sender.ts';
import { claimNumber, PrintStore } from './print-store.ts';
import type { StoredPrint } from './print-store.ts';
import { DOCUMENT_FACES, LABEL_FACES } from './faces.ts';
import { labelHtml } from './label-html.ts';
import { layOutLabel } from './label-layout.ts';
import { mediaOf, PAPER_SIZES } from './paper.ts';
import { printHtml } from './print-html.ts';
import { actOf, sendPrint } from './send-print.ts';
import { spool } from './spooler.ts';

/** Another origin than the page's, so that nothing printed can call main. */
const host = 'print';
const origin = `${APP_SCHEME}://${host}`;

/** Makes PDFs and keeps them in memory: the same bytes are previewed, saved and printed. */
export class PrintService {
  readonly #session: Session;
  readonly #pages = new Map<string, { html: string; nonce: string }>();
  readonly #store = new PrintStore();
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

  /** `cancelled` if everything was discarded meanwhile. */
  make(requested: PrintDocument): Promise<Outcome<Made>> {
    const { kind, paper, recordIds = [] } = requested;
    const number = printNumber(Date.now());
    const footer = requested.footer.map((line) => line.replaceAll(PRINT_NUMBER, number));
    const document = { ...requested, footer };
    const size = PAPER_SIZES[paper];
    const html = (nonce: string, pages: number): string =>
      printHtml(document, { nonce, faces: DOCUMENT_FACES, pages });
    const about = { kind, size, media: mediaOf(size, paper), recordIds, number };
    return this.#make(html, about);
  }

  async makeLabel(label: Label): Promise<Outcome<Made>> {
    const layout = layOutLabel(label);
    if (layout === undefined) return failed('noLabel');
    const { size } = layout;
    const about = {
      kind: 'label',
      size,
      media: mediaOf(size),
      recordIds: label.recordIds,
    } as const;
    return this.#make((nonce) => labelHtml(label, layout, { nonce, faces: LABEL_FACES }), {
      ...about,
      number: printNumber(Date.now()),
    });
  }

  /** Prints a document twice, since its pages say how many there are. */
  async #make(
    html: (nonce: string, pages: number) => string,
    about: Omit<StoredPrint, 'pdf' | 'pages' | 'isUsed' | 'recordedCopies'>,
  ): Promise<Outcome<Made>> {
    const { era } = this.#store;
    const id = randomUUID();
    const nonce = randomBytes(18).toString('base64');
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
      const { width, height } = about.size;
      const print = async (pageCount: number): Promise<Uint8Array<ArrayBuffer>> => {
        this.#pages.set(id, { html: html(nonce, pageCount), nonce });
        await window.loadURL(`${origin}/${id}.html`);
        const pdf = await window.webContents.printToPDF({
          preferCSSPageSize: true,
          pageSize: { width: width / 25.4, height: height / 25.4 },
          margins: { top: 0, bottom: 0, left: 0, right: 0 },
          printBackground: true,
          generateTaggedPDF: true,
        });
        return new Uint8Array(pdf);
      };
      const unnumbered = await print(0);
      const pages = pagesIn(unnumbered);
      const pdf = about.kind === 'label' ? unnumbered : await print(pages);
      if (era !== this.#store.era) return failed('cancelled');
      this.#store.add(id, {
        ...about,
        pdf,
        pages,
        isUsed: false,
        recordedCopies: undefined,
      });
      return done({ id, bytes: pdf.byteLength, pages });
    } finally {
      this.#pages.delete(id);
      if (!window.isDestroyed()) window.destroy();
    }
  }

  read(id: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#store.get(id)?.pdf;
  }

  async save(id: string, senderId: number): Promise<Outcome<{ saved: boolean }>> {
    const stored = this.#store.get(id);
    if (stored === undefined || stored.isUsed) return failed('cancelled');
    const { era } = this.#store;
    const file = { name: `caregate-${stored.kind}.pdf`, content: () => stored.pdf };
    return saveRecorded(
      file,
      { ...actOf(stored), kind: 'save' },
      {
        save: (name, make) => saveFile(senderId, name, make),
        record: async (act) => (claimNumber(stored) ? this.#record(act) : { kind: 'cancelled' }),
        isOpen: () => era === this.#store.era,
      },
    );
  }

  /** Without a spooler (Windows), and for the system's dialog, the page lays out the sheets and sends `pages`. */
  async send(wanted: SendRequest, senderId: number): Promise<Outcome<Sent>> {
    const { id, printer, copies } = wanted;
    const sent = await this.#store.printing(id, (stored, isWanted) => {
      const { pdf, media, size } = stored;
      return sendPrint(stored, wanted, {
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

  cancel(id: string): void {
    this.#store.cancel(id);
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
    this.#store.clear();
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

/** Page objects are uncompressed in Chromium's PDFs. */
function pagesIn(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type\s*\/Page(?![A-Za-z])/gu)?.length ?? 0
  );
}
