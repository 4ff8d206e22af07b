import { useEffect, useState } from 'react';
import { unwrap } from '../state/service-call.ts';
import { pagesOf, PdfReader } from './pdf-reader.ts';
import type { PdfPage } from './pdf-reader.ts';

interface Opened {
  readonly pages?: readonly PdfPage[];
  readonly isFailed?: boolean;
}

export function usePdf(id: string | undefined): Opened {
  const [reader] = useState(() => new PdfReader());
  const [opened, setOpened] = useState<Opened & { readonly of?: string }>({});
  useEffect(
    () => () => {
      reader.close();
    },
    [reader],
  );
  useEffect(() => {
    if (id === undefined) return;
    let isCurrent = true;
    let end = (): void => undefined;
    const open = async (): Promise<readonly PdfPage[]> => {
      const { pdf } = await unwrap(window.caregate.readPrint({ id }));
      if (!isCurrent) return [];
      const task = reader.open(pdf);
      end = () => void task.destroy();
      return pagesOf(task);
    };
    open().then(
      (pages) => {
        if (isCurrent) setOpened({ of: id, pages });
      },
      () => {
        if (isCurrent) setOpened({ of: id, isFailed: true });
      },
    );
    return () => {
      isCurrent = false;
      end();
    };
  }, [reader, id]);
  return opened.of === id ? opened : {};
}
