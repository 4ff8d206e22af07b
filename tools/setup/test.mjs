import { install, main, run } from './install.mjs';

// Runs on the machine's Node. Everything else runs on the pinned version.
await main(() => {
  install();
  return run('tools/setup/run-tests.mjs', process.argv.slice(2));
});
