import { type FormEvent, type ReactNode, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Button, Field } from '../ui/controls'
import { Dialog } from '../ui/dialog'
import { Problem } from '../ui/problem'

type ConfirmProps = {
  action: string
  title: string
  typed?: string
  children: ReactNode
  run: () => Promise<unknown>
}

const ConfirmForm = ({ action, typed, children, run, close }: ConfirmProps & { close: () => void }) => {
  const [words, setWords] = useState('')
  const doing = useMutation({ mutationFn: run, onSuccess: close })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    doing.mutate()
  }
  return (
    <form onSubmit={submit}>
      {children}
      {typed !== undefined && (
        <Field label={`Type ${typed} to confirm`} value={words} onChange={setWords} autoFocus autoComplete="off" />
      )}
      {doing.error && <Problem error={doing.error} />}
      <div className="actions">
        <Button type="submit" main isDisabled={doing.isPending || (typed !== undefined && words !== typed)}>
          {action}
        </Button>
        <Button onPress={close}>Cancel</Button>
      </div>
    </form>
  )
}

export const ConfirmButton = (confirming: ConfirmProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>{confirming.action}</Button>
      {isOpen && (
        <Dialog title={confirming.title} onClose={close}>
          <ConfirmForm {...confirming} close={close} />
        </Dialog>
      )}
    </>
  )
}
