import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';

/** `node measured.mjs RESULTS COMMAND …` adds the cost to RESULTS, with its `run`: a later run gets the file from a cache. */
const [results, command, ...arguments_] = process.argv.slice(2);
rmSync(results, { force: true });
const group = joinGroup();
const began = performance.now();
const child = spawn(command, arguments_, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  const written = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};
  const cost = {
    run: process.env.TEST_RUN,
    wallSeconds: (performance.now() - began) / 1000,
    processorSeconds: group?.seconds() ?? ofEndedChildren(),
  };
  writeFileSync(results, JSON.stringify({ ...written, cost }));
  process.exitCode = code ?? 130;
});

/** Its figures have servers and windows that leave this process, too. Only root on Linux may make one. */
function joinGroup() {
  const own = existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'utf8') : '';
  // https://man7.org/linux/man-pages/man7/cgroups.7.html, the first and the second version.
  for (const [line, mount, file, perSecond] of [
    [/:(?:[\w,]+,)?cpuacct(?:,\w+)*:(.*)/u, '/sys/fs/cgroup/cpuacct', 'cpuacct.usage', 1e9],
    [/^0::(.*)/mu, '/sys/fs/cgroup', 'cpu.stat', 1e6],
  ]) {
    const parent = `${mount}${line.exec(own)?.[1] ?? ''}`;
    const folder = `${parent}/caregate-${process.pid}`;
    try {
      mkdirSync(folder);
      writeFileSync(`${folder}/cgroup.procs`, String(process.pid));
      const seconds = () =>
        Number(/\d+/u.exec(readFileSync(`${folder}/${file}`, 'utf8'))[0]) / perSecond;
      seconds();
      process.on('exit', () => {
        writeFileSync(`${parent}/cgroup.procs`, String(process.pid));
        try {
          rmdirSync(folder);
        } catch {
          // A process is still ending.
        }
      });
      return { seconds };
    } catch {
      // Unavailable or not permitted.
    }
  }
  return undefined;
}

/** Processor time of all ended descendants; Linux only. */
function ofEndedChildren() {
  if (!existsSync('/proc/self/stat')) return undefined;
  // After the name, which may have spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  const [user, system] = [fields[13], fields[14]].map(Number);
  return (user + system) / 100;
}
