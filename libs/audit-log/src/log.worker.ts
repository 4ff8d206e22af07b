import { parentPort, workerData } from 'node:worker_threads';
import { openBackend } from './log-backend.ts';
import {
  type LogAnswer,
  type LogRequest,
  type ThreadData,
  type ThreadMessage,
} from './log-thread.ts';
import { describeError } from './thread-errors.ts';

const { place, options } = workerData as ThreadData;

const send = async (work: () => Promise<LogAnswer>): Promise<boolean> => {
  let message: ThreadMessage;
  try {
    message = { answer: await work() };
  } catch (error) {
    message = { failure: describeError(error) };
  }
  parentPort?.postMessage(message);
  return 'answer' in message;
};

const opening = openBackend(place, options);
if (await send(async () => (await opening).opened)) {
  const backend = await opening;
  parentPort?.on('message', (request: LogRequest | { readonly kind: 'close' }) => {
    if (request.kind === 'close') {
      parentPort?.close();
      void backend.close();
    } else {
      void send(() => backend.ask(request));
    }
  });
}
