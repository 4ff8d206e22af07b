export function treeRoot(leaves: readonly Buffer[]): Buffer;
/** The path from leaf `index` to the root. */
export function inclusionProof(index: number, leaves: readonly Buffer[]): Buffer[];
/** The proof that the tree of all leaves begins with that of the first `older`. */
export function consistencyProof(older: number, leaves: readonly Buffer[]): Buffer[];
