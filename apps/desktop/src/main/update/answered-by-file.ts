import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** What of Electron's `protocol` of a session is used here. */
interface Protocol {
  readonly handle: (scheme: string, answer: () => Response) => void;
  readonly unhandle: (scheme: string) => void;
}

/** While this runs, the session answers each of its requests over HTTPS with one file, and never after. */
export async function answeredByFile<T>(
  protocol: Protocol,
  path: string,
  run: () => Promise<T>,
): Promise<T> {
  // A scheme that is handled already is refused: an update that had to wait comes here once more.
  protocol.handle(
    'https',
    () => new Response(Readable.toWeb(createReadStream(path)) as ReadableStream),
  );
  try {
    return await run();
  } finally {
    protocol.unhandle('https');
  }
}
