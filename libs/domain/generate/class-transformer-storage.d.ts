declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

  /** What `@Type` and `@Transform` have recorded; the package has no public way to it. */
  export const defaultMetadataStorage: MetadataStorage;
}
