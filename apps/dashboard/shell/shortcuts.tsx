import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../ui/controls'
import { Dialog } from '../ui/dialog'
import { isTyping, useKeys } from '../ui/key-bindings'

const pages: Record<string, { to: string; name: string }> = {
  a: { to: '/', name: 'Ask' },
  f: { to: '/documents', name: 'Documents' },
  d: { to: '/desk', name: 'Desk' },
  o: { to: '/ops', name: 'Ops' },
  k: { to: '/keys', name: 'API keys' },
}
const chordMs = 1_500

/** Opens a page after the key `g` and a letter. Other shortcuts with this letter do not get the event. */
const useChords = (go: (to: string) => void): void => {
  useEffect(() => {
    let until = 0
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const page = event.timeStamp < until ? pages[event.key] : undefined
      until = event.key === 'g' ? event.timeStamp + chordMs : 0
      if (!page) return
      event.preventDefault()
      event.stopImmediatePropagation()
      go(page.to)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [go])
}

const focusSearch = (): void => document.querySelector<HTMLElement>('main input[type=search], main textarea')?.focus()

export const Shortcuts = () => {
  const [, go] = useLocation()
  const [isOpen, setOpen] = useState(false)
  useChords(go)
  useKeys({ '/': focusSearch, '?': () => setOpen(true) }, window)
  const close = (): void => setOpen(false)
  if (!isOpen) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl className="help">
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>go to the search or question field</dd>
        </div>
        {Object.entries(pages).map(([key, { name }]) => (
          <div key={key}>
            <dt>
              <kbd>g {key}</kbd>
            </dt>
            <dd>go to {name}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>show this list</dd>
        </div>
      </dl>
      <p className="small soft">Shortcuts are off while you type.</p>
      <Button onPress={close}>Close</Button>
    </Dialog>
  )
}
