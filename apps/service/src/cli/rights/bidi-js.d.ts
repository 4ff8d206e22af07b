declare module 'bidi-js' {
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string): { readonly levels: Uint8Array };
    getMirroredCharacter(character: string): string | null;
  };
}
