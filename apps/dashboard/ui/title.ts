import { useEffect } from 'react'

/** Sets the title of the page, which tabs, the history and screen readers use. */
export const useTitle = (title?: string): void => {
  useEffect(() => {
    document.title = title === undefined ? 'Plumbline' : `${title} · Plumbline`
  }, [title])
}
