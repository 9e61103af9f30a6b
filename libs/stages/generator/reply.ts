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
    const { text } = await skills.reply({ question: run.question, to: task.to === 'general' ? 'general' : 'clarify', logic: task.logic, collections }, callOf(work, 'reply'))
    return { outcome: 'replied', text }
  }
