import { z } from 'zod'

type Place = { name: string; port: number }
export type ModelServer = { name: string; url: string; models: string[] }

/** Where model servers listen unless they are told otherwise. */
const usual: Place[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'vLLM', port: 8_000 },
]

/** A name goes into a command that people copy: one that a shell would read otherwise is left out. */
const isPlain = (id: string): boolean => /^[\w.:/@+-]+$/.test(id)
const Listed = z.object({ data: z.array(z.object({ id: z.string() })) })

const ask = async ({ name, port }: Place, withinMs: number): Promise<ModelServer | null> => {
  const url = `http://127.0.0.1:${port}/v1`
  try {
    const response = await fetch(`${url}/models`, { redirect: 'error', signal: AbortSignal.timeout(withinMs) })
    const { data } = Listed.parse(await response.json())
    const models = data.map(({ id }) => id).filter(isPlain)
    return response.ok && models.length > 0 ? { name, url, models } : null
  } catch {
    // Nothing listens there, or it is something else.
    return null
  }
}

/** A model server on this machine, asked for nothing but the names of its models. */
export const findModelServer = async (places = usual, withinMs = 300): Promise<ModelServer | null> =>
  (await Promise.all(places.map((place) => ask(place, withinMs)))).find((server) => server !== null) ?? null
