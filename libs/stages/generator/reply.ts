import { questionOf, type Run } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { callOf } from '../handler/skill-call'

type Ports = { skills: Pick<Skills, 'reply'>; catalog: CardCatalog }

/**
 * Returns the topics that are offered to narrow a broad question. Runs checked by older releases have no topics, so the
 * titles of their passages are offered.
 */
const offeredBy = ({ steps, grading }: Run): string[] =>
  grading?.dimensions ?? [...new Set(steps.flatMap(({ evidence }) => evidence.map(({ title }) => title)))]

export const reply =
  ({ skills, catalog }: Ports): StageHandler<'reply'> =>
  async (work) => {
    const { run, task, signal } = work
    const collections = await catalog.cards(run.tenant, run.collections, signal)
    const logic = (task.to === 'narrow' && run.grading?.broadWhy) || task.logic
    const { text, written, refused } = await skills.reply(
      { question: questionOf(run), to: task.to, logic, collections, dimensions: offeredBy(run) },
      callOf(work, 'reply'),
    )
    return refused === undefined
      ? { outcome: 'replied', text, ...(written && { written }) }
      : { outcome: 'refused', reason: refused }
  }
