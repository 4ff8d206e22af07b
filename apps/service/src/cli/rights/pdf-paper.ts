import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { linesOf, runsOf, type Run } from './pdf-text.ts';

export interface Head {
  readonly name: string;
  readonly id: string;
  readonly date: string;
}

export interface Column {
  readonly label: string;
  /** Of the width of the paper. */
  readonly share: number;
}

export interface Row {
  readonly cells: readonly string[];
  /** Below them, over the whole width. */
  readonly more?: string;
}

const sides = 48;
const [top, bottom] = [78, 60];
const gap = 6;
const [black, grey, pale] = ['#111111', '#555555', '#cccccc'];

/** A4, with name, id, date and page on each page. */
export class Paper {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #head: Head;
  readonly #onPage: (pages: number) => void;
  readonly #width: number;
  /** Widths of texts at size 1: shaping is slow, and many texts repeat. */
  readonly #widths = new Map<string, number>();
  #y = top;

  constructor(head: Head, onPage: (pages: number) => void) {
    this.#head = head;
    this.#onPage = onPage;
    const font = runsOf('')[0]?.font ?? '';
    this.#pdf = new PDFDocument({
      ...{ size: 'A4', margin: 0, bufferPages: true, font, lang: 'en' },
      info: { Title: `Stored data of ${head.id}`, Producer: 'Caregate' },
    });
    this.#width = this.#pdf.page.width - 2 * sides;
  }

  heading(text: string, size: number): void {
    // Keeps a heading with two lines.
    this.#y += size * 0.6;
    this.#room(size * 2 + 24);
    this.#block(text, size, black);
    this.#y += size * 0.3;
  }

  paragraph(text: string): void {
    this.#block(text, 9, black);
    this.#y += 3;
  }

  pairs(pairs: readonly (readonly [label: string, value: string])[]): void {
    const label = this.#width * 0.32;
    for (const [name, value] of pairs) {
      this.#row(
        [
          [name, label - gap, grey],
          [value, this.#width - label, black],
        ],
        [0, label],
      );
    }
  }

  table(columns: readonly Column[], rows: readonly Row[]): void {
    const at = columns.map((_, index) =>
      columns.slice(0, index).reduce((sum, { share }) => sum + share * this.#width, 0),
    );
    const cellsOf = (texts: readonly string[], color: string): Cell[] =>
      columns.map(({ share }, index) => [texts[index] ?? '', share * this.#width - gap, color]);
    const labels = (): void => {
      const texts = columns.map(({ label }) => label);
      this.#row(cellsOf(texts, grey), at, { after: 1 });
      this.#rule();
    };
    this.#y += gap;
    this.#room(40);
    labels();
    for (const { cells, more = '' } of rows) {
      const below = more === '' ? 0 : this.#lines(more, this.#width - gap, 7.5).length;
      this.#row(cellsOf(cells, black), at, { below: below * 10.5, onNewPage: labels });
      if (more !== '') this.#block(more, 7.5, grey, gap);
      this.#rule();
    }
  }

  async bytes(): Promise<Buffer> {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.#pdf.switchToPage(page);
      this.#frame(page + 1, count);
    }
    const parts: Buffer[] = [];
    this.#pdf.on('data', (part: Buffer) => parts.push(part));
    const ended = once(this.#pdf, 'end');
    this.#pdf.end();
    await ended;
    return Buffer.concat(parts);
  }

  #frame(page: number, of: number): void {
    const { name, id, date } = this.#head;
    const [first = '', ...more] = linesOf(name, this.#width * 0.66, (text) =>
      this.#widthOf(text, 9),
    );
    this.#line(more.length === 0 ? first : `${first} …`, sides, 30, 9, black);
    this.#line(id, sides, 44, 8, grey);
    const right = (text: string, y: number): void => {
      this.#line(text, sides + this.#width - this.#widthOf(text, 8), y, 8, grey);
    };
    right(date, 31);
    this.#pdf
      .moveTo(sides, 62)
      .lineTo(sides + this.#width, 62)
      .lineWidth(0.5)
      .stroke(pale);
    right(`Page ${page} of ${of}`, this.#pdf.page.height - 40);
    this.#line(
      'Health data. Keep it as a medical record.',
      sides,
      this.#pdf.page.height - 40,
      8,
      grey,
    );
  }

  #rule(): void {
    this.#pdf
      .moveTo(sides, this.#y)
      .lineTo(sides + this.#width, this.#y)
      .lineWidth(0.3)
      .stroke(pale);
    this.#y += 2.5;
  }

  #block(text: string, size: number, color: string, indent = 0): void {
    for (const line of this.#lines(text, this.#width - indent, size)) {
      this.#room(size * 1.4);
      this.#line(line, sides + indent, this.#y, size, color);
      this.#y += size * 1.4;
    }
  }

  /** Continues a row higher than a page on the next, line by line. */
  #row(
    cells: readonly Cell[],
    at: readonly number[],
    {
      after = 2,
      below = 0,
      onNewPage,
    }: { after?: number; below?: number; onNewPage?: () => void } = {},
  ): void {
    const size = 8.5;
    const lines = cells.map(([text, width]) => this.#lines(text, width, size));
    const height = Math.max(...lines.map((each) => each.length));
    const whole = height * size * 1.35 + below;
    if (whole < 250 && this.#room(whole)) onNewPage?.();
    for (let index = 0; index < height; index += 1) {
      if (this.#room(size * 1.35)) onNewPage?.();
      for (const [column, [, , color]] of cells.entries()) {
        this.#line(lines[column]?.[index] ?? '', sides + (at[column] ?? 0), this.#y, size, color);
      }
      this.#y += size * 1.35;
    }
    this.#y += after;
  }

  /** Returns whether it began a page. */
  #room(height: number): boolean {
    if (this.#y + height <= this.#pdf.page.height - bottom) return false;
    this.#pdf.addPage();
    this.#onPage(this.#pdf.bufferedPageRange().count);
    this.#y = top;
    return true;
  }

  #lines(text: string, width: number, size: number): readonly string[] {
    return linesOf(text, width, (part) => this.#widthOf(part, size));
  }

  #widthOf(text: string, size: number): number {
    let width = this.#widths.get(text);
    if (width === undefined) {
      this.#pdf.fontSize(1);
      width = runsOf(text).reduce((sum, run) => sum + this.#widthOfRun(run), 0);
      this.#widths.set(text, width);
    }
    return width * size;
  }

  #widthOfRun(run: Run): number {
    return this.#pdf.font(run.font).widthOfString(run.text, shapingOf(run));
  }

  #line(text: string, x: number, y: number, size: number, color: string): void {
    this.#pdf.fontSize(size).fillColor(color);
    let left = x;
    for (const run of runsOf(text)) {
      this.#pdf.font(run.font);
      // One baseline for fonts of different heights.
      this.#pdf.text(run.text, left, y + size, {
        ...shapingOf(run),
        lineBreak: false,
        baseline: 'alphabetic',
      });
      left += this.#widthOfRun(run);
    }
  }
}

type Cell = readonly [text: string, width: number, color: string];

/** Named features make pdfkit shape a run as a whole: word by word, it puts Arabic words in the wrong order. */
function shapingOf({ level }: Run): PDFKit.Mixins.TextOptions {
  return level % 2 === 1 ? { features: ['rtla'] } : {};
}
