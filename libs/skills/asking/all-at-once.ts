import type { Call } from '../skill'

/** Calls that do one skill's work together: where one fails the others are stopped, and none is still under way when that is told. */
export const allAtOnce = async <In, Out>(
  inputs: readonly In[],
  call: Call,
  work: (input: In, call: Call) => Promise<Out>,
): Promise<Out[]> => {
  const stop = new AbortController()
  const own = { ...call, signal: AbortSignal.any([call.signal, stop.signal]) }
  const under = inputs.map((input) => work(input, own))
  try {
    return await Promise.all(under)
  } catch (error) {
    stop.abort()
    await Promise.allSettled(under)
    throw error
  }
}
