import { getDocument, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentLoadingTask, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerFile from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

export type PdfPage = PDFPageProxy;

/** The page's only Trusted Types policy, for its only worker. */
const policy = window.trustedTypes.createPolicy('caregate-pdf-worker', {
  createScriptURL: (url) => {
    if (url !== workerFile)
      throw new TypeError('Only the worker that reads PDFs is a script here.');
    return url;
  },
});

/** Reads PDFs in its own worker: no eval, no wasm, no fetch. */
export class PdfReader {
  #worker: Worker | undefined;
  #port: PDFWorker | undefined;

  /** Transfers the bytes. `destroy` of the task frees its document. */
  open(pdf: Uint8Array<ArrayBuffer>): PDFDocumentLoadingTask {
    this.#worker ??= new Worker(policy.createScriptURL(workerFile) as string, { type: 'module' });
    this.#port ??= PDFWorker.create({ port: this.#worker });
    return getDocument({
      data: pdf,
      worker: this.#port,
      useWasm: false,
      useSystemFonts: false,
      useWorkerFetch: false,
      disableWorkerRendering: true,
      isOffscreenCanvasSupported: false,
      verbosity: 0,
    });
  }

  close(): void {
    this.#port?.destroy();
    this.#worker?.terminate();
    this.#port = undefined;
    this.#worker = undefined;
  }
}

export async function pagesOf({ promise }: PDFDocumentLoadingTask): Promise<PdfPage[]> {
  const pdf = await promise;
  return Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)));
}

/** CSS pixels at 96 dpi: a PDF counts in points. */
export function sizeOf(page: PdfPage): { readonly width: number; readonly height: number } {
  const { width, height } = page.getViewport({ scale: 96 / 72 });
  return { width, height };
}

/** Draws a page on a canvas of this width in pixels; `cancel` makes `done` reject. */
export function draw(
  page: PdfPage,
  pixels: number,
): { readonly canvas: HTMLCanvasElement; readonly done: Promise<void>; cancel(): void } {
  const viewport = page.getViewport({ scale: pixels / page.getViewport({ scale: 1 }).width });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const task = page.render({ canvas, viewport });
  return {
    canvas,
    done: task.promise,
    cancel: () => {
      task.cancel();
      free(canvas);
    },
  };
}

/** Frees a canvas's memory at once instead of at garbage collection. */
export function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
