import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { VerifierKey } from '../note/checkpoint.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { verifyWhenAsked, type ToVerify } from './verify-thread.ts';

const { dataDir, key, ...options } = workerData as ToVerify & { readonly dataDir: string };

verifyWhenAsked(parentPort as MessagePort, () =>
  verifyFolder(dataDir, { key: VerifierKey.parse(key), ...options }),
);
