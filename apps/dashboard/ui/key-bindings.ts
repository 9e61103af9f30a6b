import { useEffect, useRef } from 'react'

export type KeyBindings = Record<string, (() => void) | undefined>

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('textarea, select, [contenteditable], dialog, input:not([type=checkbox])') !== null

/** Registers keyboard shortcuts. Those of a page (`document`) have priority over those of the app (`window`). */
export const useKeys = (actions: KeyBindings, target: Document | Window = document): void => {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: Event): void => {
      if (!(event instanceof KeyboardEvent)) return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const action = latest.current[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    target.addEventListener('keydown', onKey)
    return () => target.removeEventListener('keydown', onKey)
  }, [target])
}
