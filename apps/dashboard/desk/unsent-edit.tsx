import { useState } from 'react'
import type { CitedPassage } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { CopyButton } from '../ui/copy-button'

export type UnsentEdit = { taskId: string; text: string; citations?: CitedPassage[] }
const keyOf = (runId: string): string => `plumbline.edit.${runId}`

/** Returns an edit that was not sent yet. The browser tab keeps it, even after a reload or a new sign-in. */
export const unsentEdit = (runId: string): UnsentEdit | null => {
  const stored = sessionStorage.getItem(keyOf(runId))
  return stored === null ? null : (JSON.parse(stored) as UnsentEdit)
}
export const keepUnsentEdit = (runId: string, edit: UnsentEdit): void =>
  sessionStorage.setItem(keyOf(runId), JSON.stringify(edit))
export const forgetUnsentEdit = (runId: string): void => sessionStorage.removeItem(keyOf(runId))

export const UnsentEditNotice = ({ runId, taskId }: { runId: string; taskId?: string }) => {
  const [edit, setEdit] = useState(() => unsentEdit(runId))
  if (!edit || edit.taskId === taskId) return null
  const discard = (): void => {
    forgetUnsentEdit(runId)
    setEdit(null)
  }
  return (
    <section className="notice unsent" aria-label="Unsent edit">
      <p>Your edit was not sent, because its draft is no longer held. Copy the text if you need it.</p>
      <p className="pre">{edit.text}</p>
      <div className="buttons">
        <CopyButton text={edit.text} />
        <Button onPress={discard}>Discard edit</Button>
      </div>
    </section>
  )
}
