import { DatabaseSync } from 'node:sqlite';

// Preloaded into the writer by the power cut's control, in its threads too. No setting of the service does this.
const mode = process.env['FAULTS_SYNCHRONOUS'];
if (mode === 'NORMAL' || mode === 'OFF') {
  const prototype = DatabaseSync.prototype;
  const exec = Reflect.get(prototype, 'exec');
  prototype.exec = function (this: DatabaseSync, sql: string): void {
    exec.call(this, sql.replace('synchronous = FULL', `synchronous = ${mode}`));
  };
}
