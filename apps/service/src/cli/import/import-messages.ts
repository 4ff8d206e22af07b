import { takeOpened } from '../../config/run-as.ts';
import { basename } from 'node:path';
import { OperatorError } from '@caregate/data-store/errors';
import { getAckCode, ERRORS, type Piece, splitFile } from '@caregate/hl7v2';
import { openInput, WAITS_FOR } from '@caregate/data-store';
import { sanitizeText, sanitizeLines } from '../common/printable.ts';
import type { ProgressLine } from '../common/progress-line.ts';
import { prepareReadyFile, writeReadyFile } from '../common/ready-file.ts';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { createOutput, print, printText, describeUnexpectedError } from '../common/run-command.ts';
import { waitForSignal, runUntil } from '../common/run-until-signal.ts';
import { MessageQueue } from './message-queue.ts';
import {
  AT_ONCE,
  BYTES_AT_ONCE,
  MessageTaker,
  type Answer,
  type MessageCounts,
  type TakerOptions,
} from './message-taker.ts';
import { serveMllp, type MllpAddress, type MllpOptions } from './mllp-server.ts';

interface MessageImport {
  readonly taker: TakerOptions;
  readonly progress: ProgressLine;
}

/** Imports each message of a file on its own. @returns whether all messages were accepted */
export async function importMessages(
  file: string,
  { taker: options, progress }: MessageImport,
): Promise<boolean> {
  const input = openInput(file, takeOpened);
  const taker = new MessageTaker(options);
  let number = 0;
  const take = async (pieces: readonly Piece[]): Promise<void> => {
    for (const answer of await taker.take(pieces)) {
      number += 1;
      progress.clear();
      report(answer, `${input.name}: message ${number}`);
    }
    progress.draw(`${basename(input.name)}, bytes`, input.getBytesRead(), input.bytesTotal);
  };
  await taker.run({}, async () => {
    let pieces: Piece[] = [];
    let bytes = 0;
    for await (const piece of splitFile(input.readChunks())) {
      pieces.push(piece);
      bytes += 'bytes' in piece ? piece.bytes.length : 0;
      if (pieces.length >= AT_ONCE || bytes >= BYTES_AT_ONCE) {
        await take(pieces);
        [pieces, bytes] = [[], 0];
      }
    }
    await take(pieces);
    return { sha256: input.getDigest() ?? '' };
  });
  progress.clear();
  printText(`${sanitizeText(input.name)}: ${describeCounts(taker.total)}\n`);
  return taker.total.refused === 0;
}

export async function listenForMessages(
  address: MllpAddress & Pick<MllpOptions, 'allowed'>,
  readyFile: string | undefined,
  options: TakerOptions,
): Promise<void> {
  if (readyFile !== undefined) {
    prepareReadyFile(readyFile);
  }
  const taker = new MessageTaker(options);
  const queue = new MessageQueue(taker, (error) => {
    const why = error instanceof OperatorError ? error.message : describeUnexpectedError(error);
    process.stderr.write(`${sanitizeLines(why)}\n`);
  });
  await taker.run({ connection: 'mllp' }, async () => {
    const signal = waitForSignal();
    const server = await serveMllp(address, {
      allowed: address.allowed,
      answer: async (piece) => {
        const answer = await queue.answer(piece);
        if (answer !== undefined) {
          report(answer, 'Message');
        }
        return answer?.bytes;
      },
      onProblem: (message) => process.stderr.write(`${message}\n`),
    }).catch((error: unknown) => {
      throw toOperatorError(error, address);
    });
    if (readyFile !== undefined) {
      await writeReadyFile(readyFile, { mllp: server.address });
    }
    printText(`Messages are accepted on ${server.address}.\n`);
    await runUntil(signal, async () => {
      await Promise.all([queue.stop(), server.stop()]);
    });
    return {};
  });
  printText(`${describeCounts(taker.total)}\n`);
}

/** Retries the waiting messages, whose patients may have been imported meanwhile. */
export async function retryWaiting(options: TakerOptions): Promise<void> {
  const taker = new MessageTaker(options);
  await taker.retry();
  const { messages, taken } = taker.total;
  if (messages > 0) {
    const { length: waiting } = await options.store.listWaiting(options.team);
    print(
      createOutput(
        { messages_taken: taken, messages_waiting: waiting },
        () => `Waiting messages: ${taken} stored, ${waiting} still waiting.\n`,
      ),
    );
  }
}

/** Prints the outcome of a message. Text output only has those that need attention. */
function report({ header, outcome }: Answer, which: string): void {
  const refusal = outcome.kind === 'refused' ? outcome.refusal : undefined;
  const waitsFor = outcome.kind === 'waiting' ? outcome.waitsFor : undefined;
  const { segment = null, sequence = null, field = null, error, message } = refusal ?? {};
  const code = error && ERRORS[error][0];
  const ack = getAckCode(header, refusal);
  const orders = 'orders' in outcome ? outcome.orders : [];
  const line = {
    ...{ control_id: header?.controlId ?? null, ack },
    orders: orders.map(({ orderId, change }) => ({ order_id: orderId, change })),
    pending: waitsFor ?? null,
    error: refusal === undefined ? null : { segment, sequence, field, code, message },
  };
  const toText = (): string => {
    const named = `${which}, control id ${JSON.stringify(sanitizeText(header?.controlId ?? ''))}`;
    if (refusal === undefined) {
      return waitsFor === undefined
        ? ''
        : `${named}: waits (${waitsFor}). ${WAITS_FOR[waitsFor]}\n`;
    }
    const inField = field === null ? '' : `, field ${field}`;
    const place = segment === null ? '' : ` ${segment} ${sequence ?? 1}${inField}:`;
    return `${named}: refused (${ack}).${place} ${message}\n`;
  };
  print(createOutput(line, toText), process.stderr);
}

function describeCounts({
  messages,
  taken,
  repeated,
  waiting,
  refused,
}: Readonly<MessageCounts>): string {
  const counts = Object.entries({ taken, 'taken before': repeated, waiting, refused })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  const details = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  return `${messages.toLocaleString('en-US')} messages${details}.`;
}
