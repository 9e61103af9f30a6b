import { questionOf, type Run } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { callOf } from '../handler/skill-call'

type Ports = { skills: Pick<Skills, 'reply'>; catalog: CardCatalog }

/** Titles that a clarifying question offers. */
const dimensionsOf = ({ steps }: Run): string[] => [
  ...new Set(steps.flatMap(({ evidence }) => evidence.map(({ title }) => title))),
]

export const reply =
  ({ skills, catalog }: Ports): StageHandler<'reply'> =>
  async (work) => {
    const { run, task, signal } = work
    const collections = await catalog.cards(run.tenant, run.collections, signal)
    const { text, written, refused } = await skills.reply(
      { question: questionOf(run), to: task.to, logic: task.logic, collections, dimensions: dimensionsOf(run) },
      callOf(work, 'reply'),
    )
    return refused === undefined
      ? { outcome: 'replied', text, ...(written && { written }) }
      : { outcome: 'refused', reason: refused }
  }
