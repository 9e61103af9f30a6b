import { useEffect } from 'react'

/** Sets the title of the page for tabs, the history and screen readers. */
export const useTitle = (title?: string): void => {
  useEffect(() => {
    document.title = title === undefined ? 'Plumbline' : `${title} · Plumbline`
  }, [title])
}
