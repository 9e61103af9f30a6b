import type { Block } from './blocks'

/** A block with where it stands: its page and the headings above it, its own among them when it is one. */
export type Placed = Block & { page: number | undefined; path: string[] }

/** The text of a passage to be. */
export type Piece = { text: string; path: string[]; page: number | undefined }

export type Measure = (text: string) => number

export const written = (block: Block): string => (block.kind === 'heading' ? block.raw : block.text)
