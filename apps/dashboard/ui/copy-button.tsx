import { useState } from 'react'
import { Button } from './controls'

/** Copies by selecting the text: browsers offer `navigator.clipboard` only in secure contexts. */
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
const labels: Record<State, string> = { ready: 'Copy', copied: 'Copied', failed: 'Select and copy it by hand' }

export const CopyButton = ({ text }: { text: string }) => {
  const [state, setState] = useState<State>('ready')
  const copy = (): void =>
    void copyText(text).then(
      (isCopied) => setState(isCopied ? 'copied' : 'failed'),
      () => setState('failed'),
    )
  return <Button onPress={copy}>{labels[state]}</Button>
}
