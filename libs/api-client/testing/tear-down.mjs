import { rmSync } from 'node:fs';

export default function tearDown() {
  rmSync(process.env.PACKED_ONCE, { recursive: true, force: true });
}
