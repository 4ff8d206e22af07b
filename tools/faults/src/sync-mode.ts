import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Preloaded into the writer by the power cut's control, in its threads too: nothing is synced. No setting of the service does this.
if (process.env['FAULTS_SYNC'] === 'OFF') {
  const nothing = (): void => undefined;
  Object.assign(fs, { fdatasyncSync: nothing, fsyncSync: nothing });
  syncBuiltinESMExports();
}
