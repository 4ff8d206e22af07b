import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { BrowserWindow, dialog, webContents } from 'electron';
import type { Session } from 'electron';
import type { Made, PrintDocument } from '../../bridge/print.ts';
import { APP_SCHEME } from '../ipc/sender.ts';
import { PAPER_SIZES } from './paper.ts';
import { footerHtml, printHtml } from './print-html.ts';

/** The host of what is printed: another origin than the page's, so that nothing in it may call main. */
const host = 'print';
const origin = `${APP_SCHEME}://${host}`;
/** Chromium's own viewer of PDFs, and its parts. */
const viewer = ['chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/', 'chrome://'];
const most = 4;

interface Held {
  readonly kind: PrintDocument['kind'];
  readonly paper: PrintDocument['paper'];
  readonly pdf: Uint8Array<ArrayBuffer>;
}

/** Makes PDFs and holds them in memory: what is seen, saved and printed is one and the same. */
export class PrintRoom {
  readonly #session: Session;
  readonly #pages = new Map<string, { html: string; nonce: string }>();
  readonly #held = new Map<string, Held>();
  readonly #windows = new Map<string, BrowserWindow>();
  #era = 0;

  constructor(session: Session) {
    this.#session = session;
    session.webRequest.onBeforeRequest(({ url }, callback) => {
      const own = [`${origin}/`, ...viewer].some((start) => url.startsWith(start));
      callback({ cancel: !own });
    });
    session.protocol.handle(APP_SCHEME, (request) => this.#serve(request));
    session.setPermissionRequestHandler((_contents, _permission, callback) => {
      callback(false);
    });
    session.on('will-download', (event) => {
      event.preventDefault();
    });
  }

  /** Lays the document out. Undefined where it was cleared away in the meantime. */
  async make(document: PrintDocument): Promise<Made | undefined> {
    const era = this.#era;
    const id = randomUUID();
    const nonce = randomBytes(18).toString('base64');
    this.#pages.set(id, { html: printHtml(document, nonce), nonce });
    const window = new BrowserWindow({
      show: false,
      webPreferences: { ...this.#preferences(), javascript: false },
    });
    try {
      await window.loadURL(`${origin}/${id}.html`);
      const { width, height } = PAPER_SIZES[document.paper];
      const pdf = new Uint8Array(
        await window.webContents.printToPDF({
          preferCSSPageSize: true,
          pageSize: { width: width / 25.4, height: height / 25.4 },
          printBackground: true,
          generateTaggedPDF: true,
          displayHeaderFooter: true,
          headerTemplate: '<span></span>',
          footerTemplate: footerHtml(document),
        }),
      );
      if (era !== this.#era) return undefined;
      this.#hold(id, { kind: document.kind, paper: document.paper, pdf });
      return { id, bytes: pdf.byteLength };
    } finally {
      this.#pages.delete(id);
      if (!window.isDestroyed()) window.destroy();
    }
  }

  /** Opens a window with the PDF in it; the one that is open already comes to the front. */
  async show(id: string): Promise<boolean> {
    if (!this.#held.has(id)) return false;
    (await this.#viewerOf(id)).show();
    return true;
  }

  /** Asks where to, and writes the PDF there. */
  async save(id: string, senderId: number): Promise<boolean> {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    const sender = webContents.fromId(senderId);
    const parent = sender === undefined ? null : BrowserWindow.fromWebContents(sender);
    const options = {
      // Of no patient: file names are seen by many programs.
      defaultPath: `caregate-${held.kind}.pdf`,
      filters: [{ name: 'PDF', extensions: ['pdf'] }],
    };
    const { filePath, canceled } = await (parent === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(parent, options));
    if (canceled || !this.#held.has(id)) return false;
    await writeFile(filePath, held.pdf, { mode: 0o600 });
    return true;
  }

  /** Prints the held PDF; without a printer's name the system's dialog asks for one. */
  async send(id: string, printer: string | undefined, copies: number): Promise<boolean> {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    const window = await this.#viewerOf(id);
    if (printer === undefined) window.show();
    const { width, height } = PAPER_SIZES[held.paper];
    return new Promise((resolve) => {
      window.webContents.print(
        {
          silent: printer !== undefined,
          ...(printer !== undefined && { deviceName: printer }),
          copies,
          margins: { marginType: 'none' },
          // Micrometres.
          pageSize: { width: Math.round(width * 1000), height: Math.round(height * 1000) },
        },
        (sent) => {
          resolve(sent);
        },
      );
    });
  }

  /** Forgets every PDF and closes what shows them: at the lock, at the sign-out. */
  clear(): void {
    this.#era += 1;
    this.#pages.clear();
    this.#held.clear();
    for (const window of this.#windows.values()) window.destroy();
    this.#windows.clear();
  }

  #hold(id: string, held: Held): void {
    this.#held.set(id, held);
    for (const old of this.#held.keys()) {
      if (this.#held.size <= most) return;
      if (!this.#windows.has(old)) this.#held.delete(old);
    }
  }

  async #viewerOf(id: string): Promise<BrowserWindow> {
    const open = this.#windows.get(id);
    if (open !== undefined) return open;
    const window = new BrowserWindow({
      width: 900,
      height: 1000,
      show: false,
      title: 'Caregate',
      autoHideMenuBar: true,
      webPreferences: { ...this.#preferences(), plugins: true },
    });
    this.#windows.set(id, window);
    window.setContentProtection(true);
    window.on('page-title-updated', (event) => {
      event.preventDefault();
    });
    window.once('closed', () => {
      this.#windows.delete(id);
    });
    await window.loadURL(`${origin}/${id}.pdf`);
    return window;
  }

  #preferences(): Electron.WebPreferences {
    return {
      session: this.#session,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      spellcheck: false,
    };
  }

  #serve(request: Request): Response {
    const url = new URL(request.url);
    const [, id = '', kind] = /^\/([\da-f-]+)\.(html|pdf)$/u.exec(url.pathname) ?? [];
    const page = kind === 'html' ? this.#pages.get(id) : undefined;
    const held = kind === 'pdf' ? this.#held.get(id) : undefined;
    const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    if (url.host !== host || request.method !== 'GET') return new Response(null, { status: 404 });
    if (page !== undefined) {
      const policy = `default-src 'none'; style-src 'nonce-${page.nonce}'; base-uri 'none'; form-action 'none'`;
      return new Response(page.html, {
        headers: {
          ...common,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
        },
      });
    }
    if (held !== undefined) {
      return new Response(held.pdf, { headers: { ...common, 'content-type': 'application/pdf' } });
    }
    return new Response(null, { status: 404, headers: common });
  }
}
