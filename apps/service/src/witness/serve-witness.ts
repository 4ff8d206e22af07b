import { resolve } from 'node:path';
import type { AddressInfo } from 'node:net';
import { FileWitnessStore, nodeDisk, Witness, type VerifierKey } from '@caregate/audit-log';
import type { Logger } from 'pino';
import { lockWitness, openCosigners } from './witness-folder.ts';
import { witnessServer } from './witness-server.ts';

interface WitnessOptions {
  readonly dataDir: string;
  readonly name: string | undefined;
  readonly logs: readonly VerifierKey[];
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
}

/** @throws OperatorError if the folder is not usable or taken; the system's error of `listen` */
export async function serveWitness(
  options: WitnessOptions,
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  const { dataDir, name, logs, host, port, logger } = options;
  const cosigners = openCosigners(dataDir, name);
  const lock = lockWitness(dataDir);
  const store = new FileWitnessStore(nodeDisk, resolve(dataDir, 'witness'));
  const now = (): number => Math.floor(Date.now() / 1000);
  const server = witnessServer(new Witness({ logs, cosigners, store, now }), logger);
  try {
    await server.listen({ host, port });
  } catch (error) {
    lock.close();
    throw error;
  }
  const address = server.server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    baseUrl: `http://${shown}:${address.port}`,
    stop: async () => {
      await server.close();
      lock.close();
    },
  };
}
