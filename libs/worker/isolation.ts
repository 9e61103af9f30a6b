export type TaskSlot = { readonly alone: boolean; leave(): void }
type Waiter = { alone: boolean; open(): void }

export type Isolation = {
  /** Resolves when the task may start, or to null if the signal aborts before that. */
  enter(alone: boolean, signal: AbortSignal): Promise<TaskSlot | null>
}

/** Runs a task alone if it may have crashed a process earlier. Tasks that arrive later wait until it has ended. */
export const createIsolation = (): Isolation => {
  const waiting: Waiter[] = []
  let running = 0
  let closed = false

  const fits = (alone: boolean): boolean => !closed && (alone ? running === 0 : true)
  const admit = (alone: boolean): void => {
    running += 1
    closed = alone
  }
  const letIn = (): void => {
    for (let next = waiting[0]; next && fits(next.alone); next = waiting[0]) {
      waiting.shift()
      admit(next.alone)
      next.open()
    }
  }
  const slotOf = (alone: boolean): TaskSlot => {
    let left = false
    return {
      alone,
      leave: () => {
        if (left) return
        left = true
        running -= 1
        if (alone) closed = false
        letIn()
      },
    }
  }
  return {
    enter: (alone, signal) => {
      if (signal.aborted) return Promise.resolve(null)
      if (waiting.length === 0 && fits(alone)) {
        admit(alone)
        return Promise.resolve(slotOf(alone))
      }
      return new Promise((resolve) => {
        const giveUp = (): void => {
          const at = waiting.indexOf(waiter)
          if (at >= 0) waiting.splice(at, 1)
          resolve(null)
          letIn()
        }
        const waiter: Waiter = {
          alone,
          open: () => {
            signal.removeEventListener('abort', giveUp)
            resolve(slotOf(alone))
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.push(waiter)
      })
    },
  }
}
