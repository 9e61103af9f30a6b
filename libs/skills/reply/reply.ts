import type { CollectionCard } from '../route/route'
import type { Skill } from '../skill'

export type Reply = Skill<
  { question: string; to: 'general' | 'clarify'; logic: string; collections: CollectionCard[] },
  /** `refused`: why the model would not write it; then there is no text. */
  { text: string; refused?: string }
>
