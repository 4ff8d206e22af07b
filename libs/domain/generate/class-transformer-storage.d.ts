declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

  /** Metadata of `@Type` and `@Transform`; the package has no public API for it. */
  export const defaultMetadataStorage: MetadataStorage;
}
