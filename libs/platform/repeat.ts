/** Repeats `work` until it is stopped. If it fails several times in a row, only the first failure calls `onFault`. */
export const repeat = (
  everyMs: number,
  work: () => Promise<unknown>,
  onFault: (error: unknown) => void,
): { stop(): Promise<void> } => {
  let timer: NodeJS.Timeout
  let working: Promise<void> = Promise.resolve()
  let [isFaulty, isStopped] = [false, false]
  const workOnce = async (): Promise<void> => {
    try {
      await work()
      isFaulty = false
    } catch (error) {
      if (!isFaulty && !isStopped) onFault(error)
      isFaulty = true
    }
    if (!isStopped) schedule()
  }
  // The pauses vary at random, so that processes that start together do not poll together.
  const schedule = (): void => {
    timer = setTimeout(() => void (working = workOnce()), everyMs * (0.75 + Math.random() / 2)).unref()
  }
  schedule()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
