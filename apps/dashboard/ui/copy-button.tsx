import { useState } from 'react'
import { Button } from './controls'

/** Copies a text by selecting it. Browsers offer `navigator.clipboard` only on secure pages. */
const copyBySelection = (text: string): boolean => {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

const copyText = async (text: string): Promise<boolean> => {
  if (!window.isSecureContext) return copyBySelection(text)
  await navigator.clipboard.writeText(text)
  return true
}

type State = 'ready' | 'copied' | 'failed'
type Props = { text: string; label?: string; done?: string; quiet?: boolean }

export const CopyButton = ({ text, label = 'Copy', done = 'Copied', quiet = false }: Props) => {
  const [state, setState] = useState<State>('ready')
  const copy = (): void =>
    void copyText(text).then(
      (isCopied) => setState(isCopied ? 'copied' : 'failed'),
      () => setState('failed'),
    )
  const labels: Record<State, string> = { ready: label, copied: done, failed: 'Copy failed: select the text' }
  return (
    <Button quiet={quiet} onPress={copy}>
      <span aria-live="polite">{labels[state]}</span>
    </Button>
  )
}
