/** A process that is killed between the record of an action and its commit, for `recorded-acts.spec.ts`. */
import { createReadStream } from 'node:fs';
import { AccessStore } from '../auth/access-store.ts';
import { importFile, createInput, openStoreForWriting, ImportWriter } from '@caregate/data-store';
import { runRecordedImport } from './import/recorded-import.ts';
import { CommandLog } from './common/command-log.ts';

const [, , act = '', dataDir = '', file = ''] = process.argv;
const log = new CommandLog({ dataDir });

async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return await new Promise<never>(() => undefined);
}

if (act === 'cursorSecretTurned') {
  const store = await AccessStore.open(dataDir, {
    acts: async (...recorded) => {
      await log.acts(...recorded);
      await die();
    },
  });
  await store.secrets.rotateCursorSecret();
} else {
  const writer = new ImportWriter(await openStoreForWriting({ dataDir }));
  await runRecordedImport(log, {}, (beforeCommit) =>
    importFile(writer, createInput('spec', createReadStream(file), undefined), {
      beforeCommit: async (report) => {
        await beforeCommit(report);
        await die();
      },
    }),
  );
}
