import { z } from 'zod'
import { skillNames, type SkillName } from '@plumbline/flow'

/** Settings of before the checks became one skill go on working. */
const asNow = (name: string): string => (name === 'checkClaims' || name === 'rateUsefulness' ? 'check' : name)
const isSkill = (name: string): name is SkillName => skillNames.some((skill) => skill === name)

/** `answer=gpt-5,route=offline,check=strong`: a model, a tier, or no model. */
export const SkillModels = z.string().transform((text, context): Partial<Record<SkillName, string>> => {
  const models: Partial<Record<SkillName, string>> = {}
  for (const part of text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [given = '', ...rest] = part.split('=').map((each) => each.trim())
    const skill = asNow(given)
    const model = rest.join('=')
    if (!isSkill(skill))
      context.addIssue({
        code: 'custom',
        message: `knows no skill "${skill}"; the skills are ${skillNames.join(', ')}`,
      })
    else if (model === '')
      context.addIssue({
        code: 'custom',
        message: `says nothing for ${skill}: write ${skill}=small, ${skill}=strong, ${skill}=offline or the name of a model`,
      })
    else models[skill] = model
  }
  return models
})
