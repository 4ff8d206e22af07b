// The root and the proofs of RFC 6962, 2.1, in their plainest form. Tests compare the service's own with them.
import { hash } from 'node:crypto';

const nodeHash = (left, right) =>
  hash('sha256', Buffer.concat([Buffer.of(1), left, right]), 'buffer');

function halves(leaves) {
  const leftSize = 2 ** (31 - Math.clz32(leaves.length - 1)); // the largest power of two below
  return [leaves.slice(0, leftSize), leaves.slice(leftSize)];
}
export function treeRoot(leaves) {
  if (leaves.length <= 1) return leaves[0] ?? hash('sha256', '', 'buffer');
  return nodeHash(...halves(leaves).map(treeRoot));
}
export function inclusionProof(index, leaves) {
  if (leaves.length <= 1) return [];
  const [left, right] = halves(leaves);
  if (index < left.length) return [...inclusionProof(index, left), treeRoot(right)];
  return [...inclusionProof(index - left.length, right), treeRoot(left)];
}
export function consistencyProof(older, leaves, isWhole = true) {
  if (older === 0 || older === leaves.length) return isWhole ? [] : [treeRoot(leaves)];
  const [left, right] = halves(leaves);
  if (older <= left.length) return [...consistencyProof(older, left, isWhole), treeRoot(right)];
  return [...consistencyProof(older - left.length, right, false), treeRoot(left)];
}
