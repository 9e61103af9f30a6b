import type { CitedPassage, Evidence } from '@plumbline/contracts'
import type { Skill } from '../skill'

type Summed = { text: string; citations: CitedPassage[] }

/** A whole document in a few sentences, each with the passages it rests on. The passages come in the document's order. */
export type Summarise = Skill<
  { question: string; passages: Evidence[]; maxSentences: number; onDelta?: (text: string) => void },
  Summed
>
