export interface Embedder {
  /** What made the vectors; vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}
