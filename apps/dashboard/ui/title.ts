import { useEffect } from 'react'

/** Names the page for tabs, the history and readers of the screen. */
export const useTitle = (title?: string): void => {
  useEffect(() => {
    document.title = title === undefined ? 'Plumbline' : `${title} · Plumbline`
  }, [title])
}
