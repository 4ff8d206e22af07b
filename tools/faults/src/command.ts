export function flag(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) {
    process.stderr.write(`--${name} takes a number from 1 on.\n`);
    process.exit(2);
  }
  return value;
}

export function report(figures: Readonly<Record<string, string | number>>, isGood: boolean): void {
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name}: ${value}\n`);
  }
  process.stdout.write(isGood ? 'OK\n' : 'FAILED\n');
  process.exitCode = isGood ? 0 : 1;
}

export function skip(reason: string): never {
  process.stdout.write(`SKIPPED: ${reason}\n`);
  process.exit(0);
}
