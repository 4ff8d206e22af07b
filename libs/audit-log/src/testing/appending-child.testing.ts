import { openLog } from './log-place.testing.ts';
import { auditText } from './audit-text.testing.ts';

const [, , dataDir = '', round = ''] = process.argv;

// Prints each receipt until this process is killed.
const log = await openLog({ dataDir });
for (let at = 0; ; at += 1) {
  const operations = Array.from({ length: 1 + (at % 20) }, (_, one) => `${round}/${at}/${one}`);
  await Promise.all(
    operations.map(async (operation) => {
      await log.record(auditText({ operation }));
      process.stdout.write(`${operation}\n`);
    }),
  );
}
