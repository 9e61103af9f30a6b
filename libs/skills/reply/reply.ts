import type { CollectionCard } from '../route/route'
import type { Skill } from '../skill'

export type Reply = Skill<
  { question: string; to: 'general' | 'clarify'; logic: string; collections: CollectionCard[] },
  { text: string }
>
