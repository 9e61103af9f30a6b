import { questionOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'
import type { CardCatalog } from '../catalog'

type Ports = { skills: Pick<Skills, 'reply'>; catalog: CardCatalog }

export const reply =
  ({ skills, catalog }: Ports): StageHandler<'reply'> =>
  async (work) => {
    const { run, task, signal } = work
    const collections = await catalog.cards(run.tenant, run.collections, signal)
    const { text, refused } = await skills.reply(
      { question: questionOf(run), to: task.to === 'general' ? 'general' : 'clarify', logic: task.logic, collections },
      callOf(work, 'reply'),
    )
    return refused === undefined ? { outcome: 'replied', text } : { outcome: 'refused', reason: refused }
  }
