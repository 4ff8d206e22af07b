declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

  /** The metadata of `@Type` and `@Transform`. The package has no public API for it. */
  export const defaultMetadataStorage: MetadataStorage;
}
