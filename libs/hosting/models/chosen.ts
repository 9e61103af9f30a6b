import { skillNames, type SkillName } from '@plumbline/flow'
import type { ModelsEnv } from './models.env'

export type Tier = 'small' | 'strong'
export const tiers = ['small', 'strong'] as const

const defaults: Record<Tier, string> = { small: 'gpt-4.1-mini', strong: 'gpt-4.1' }

/** Which model does a skill's work at a tier; none where no server is set. */
export type Chosen = {
  tiers: Record<Tier, string> | null
  of(skill: SkillName, tier: Tier): string | 'offline'
  /** Every model that some skill may ask for. */
  models: string[]
}

export const chosenBy = (env: ModelsEnv): Chosen => {
  const served = env.OPENAI_API_KEY !== undefined || env.OPENAI_BASE_URL !== undefined
  if (!served) return { tiers: null, of: () => 'offline', models: [] }
  const named: Record<Tier, string> = {
    small: env.MODEL_SMALL ?? defaults.small,
    strong: env.MODEL_STRONG ?? defaults.strong,
  }
  const of = (skill: SkillName, tier: Tier): string => {
    const own = env.SKILL_MODELS[skill] ?? tier
    return own === 'small' || own === 'strong' ? named[own] : own
  }
  const models = [...new Set(tiers.flatMap((tier) => skillNames.map((skill) => of(skill, tier))))].filter(
    (model) => model !== 'offline' && model !== 'cross-encoder',
  )
  return { tiers: named, of, models }
}
