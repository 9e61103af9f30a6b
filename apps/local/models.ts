import { z } from 'zod'
import type { SkillName } from '@plumbline/flow'
import type { ModelsEnv } from '@plumbline/hosting/models/models.env'

type DefaultServer = { name: string; port: number }
export type ModelServer = { name: string; url: string; models: string[] }

const defaultServers: DefaultServer[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'vLLM', port: 8_000 },
]

/** Returns whether a model id contains no special characters of a shell, because people copy the printed command. */
const isPlain = (id: string): boolean => /^[\w.:/@+-]+$/.test(id)
const Listed = z.object({ data: z.array(z.object({ id: z.string() })) })

const ask = async ({ name, port }: DefaultServer, withinMs: number): Promise<ModelServer | null> => {
  const url = `http://127.0.0.1:${port}/v1`
  try {
    const response = await fetch(`${url}/models`, { redirect: 'error', signal: AbortSignal.timeout(withinMs) })
    const { data } = Listed.parse(await response.json())
    const models = data.map(({ id }) => id).filter(isPlain)
    return response.ok && models.length > 0 ? { name, url, models } : null
  } catch {
    // Nothing listens on this port, or a server of another kind does.
    return null
  }
}

/** Returns the first local server that lists its models. The list is the only request to each server. */
export const findModelServer = async (servers = defaultServers, withinMs = 300): Promise<ModelServer | null> =>
  (await Promise.all(servers.map((server) => ask(server, withinMs)))).find((server) => server !== null) ?? null

type ModelSettings = Pick<ModelsEnv, 'SKILL_MODELS' | 'OPENAI_API_KEY' | 'OPENAI_BASE_URL'>

export const hasModels = ({
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: url,
}: Omit<ModelSettings, 'SKILL_MODELS'>): boolean => key !== undefined || url !== undefined

const fallbackBySkill: Record<SkillName, string> = {
  route: 'every question is searched in the documents; no question is declined or answered with a clarifying question',
  plan: 'a question is split only if it clearly consists of several questions',
  rewriteQuery: 'a failed search is repeated only with the words of the question that no found passage contains',
  gradeEvidence: 'passages are ranked by the words they share with the question, and few are left out',
  refineEvidence: 'evidence is shortened to the sentences that share a word with the question',
  answer: 'answers are quotes and table cells',
  reply: 'replies are fixed texts',
  check:
    'every written answer is held for review, except statements that are literally in their source or in a table cell',
  summarise: 'a summary consists of the closest passages',
  fillLookup: 'a lookup uses only values that the question contains',
}
const isSkill = (name: string): name is SkillName => name in fallbackBySkill

export const modelLines = (env: ModelSettings, server: ModelServer | null): string[] => {
  if (hasModels(env))
    return Object.entries(env.SKILL_MODELS)
      .filter(([, model]) => model === 'offline')
      .flatMap(([skill]) => (isSkill(skill) ? [`${skill}=offline: ${fallbackBySkill[skill]}`] : []))
  const said = 'No model is set up, so answers are quotes and table cells.'
  if (!server) return [said]
  const { name, url, models } = server
  const [first = '', ...others] = models
  const more =
    others.length > 0 ? ` (other models: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ' …' : ''})` : ''
  return [
    said,
    `${name} runs on this machine. To use its model ${first}${more}, start with:`,
    `  OPENAI_BASE_URL=${url} MODEL_SMALL=${first} MODEL_STRONG=${first} npm start`,
  ]
}
