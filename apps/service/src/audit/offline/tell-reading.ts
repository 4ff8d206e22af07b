import type { LogSource } from '@caregate/audit-log';

export type OnRecords = (done: number, of: number) => void;

type Read = LogSource['read'];
type Items = ReturnType<Read>;
type Item = Items extends Iterable<infer T> | AsyncIterable<infer T> ? T : never;

const often = 256;

export function tellReading<T extends { read: Read }>(log: T, onRecords: OnRecords): T {
  const read: Read = log.read.bind(log);
  const reporting = (from: number, to: number): Items => {
    const items = read(from, to);
    const report = (item: Item): void => {
      if ('leafHash' in item) {
        const done = item.seq + 1 - from;
        if (done % often === 1 || item.seq + 1 === to) {
          onRecords(done, to - from);
        }
      }
    };
    return Symbol.iterator in items ? inTurn(items, report) : asTheyCome(items, report);
  };
  return Object.assign(log, { read: reporting });
}

function* inTurn(items: Iterable<Item>, report: (item: Item) => void): Generator<Item, void> {
  for (const item of items) {
    yield item;
    report(item);
  }
}

async function* asTheyCome(
  items: AsyncIterable<Item>,
  report: (item: Item) => void,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    yield item;
    report(item);
  }
}
