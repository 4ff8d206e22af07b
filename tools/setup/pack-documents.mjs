/** prepack copies the workspace's documents into the package; postpack removes them by `--remove`. */
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';

const documents = ['LICENSE', 'CHANGELOG.md'];

if (process.argv.includes('--remove')) {
  for (const name of documents) rmSync(name, { force: true });
} else {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (files.includes('dist') && !existsSync('dist')) {
    console.error(
      'Nothing to pack: dist is missing. Run npm run build at the top of the workspace.',
    );
    process.exit(1);
  }
  for (const name of documents) copyFileSync(`../../${name}`, name);
}
