import { questionOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'
import type { CardCatalog } from '../catalog'
import type { KnownBefore } from './known'

type Ports = { skills: Pick<Skills, 'route'>; catalog: CardCatalog; known?: KnownBefore | undefined }

export const route =
  ({ skills, catalog, known }: Ports): StageHandler<'route'> =>
  async (work) => {
    const { run, signal } = work
    const before = await known?.(work)
    if (before)
      return {
        outcome: 'known',
        logic: 'Just this question was answered before, and no document has changed since.',
        ...before,
      }
    const cards = await catalog.cards(run.tenant, run.collections, signal)
    const { webOn, policy, inThread } = run
    const { to, logic, collections, simple } = await skills.route(
      {
        question: questionOf(run),
        collections: cards,
        webOn,
        ...(policy.routing && { mode: policy.routing }),
        ...(inThread?.passageIds.length && { thread: { question: inThread.question, text: inThread.text } }),
      },
      callOf(work, 'route'),
    )
    if (to !== 'research') return { outcome: to, logic }
    const readable = collections.filter((name) => run.collections.includes(name))
    return {
      outcome: 'research',
      logic,
      collections: readable.length > 0 ? readable : run.collections,
      ...(simple !== undefined && { simple }),
    }
  }
