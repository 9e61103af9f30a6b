import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useMutation } from '@tanstack/react-query'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'

type Confirming = {
  /** What the button that opens it says, and the one that does it. */
  action: string
  title: string
  /** Has to be typed first. */
  typed?: string
  children: ReactNode
  run: () => Promise<unknown>
}

const Question = ({ action, title, typed, children, run, close }: Confirming & { close: () => void }) => {
  const [words, setWords] = useState('')
  const doing = useMutation({ mutationFn: run, onSuccess: close })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    doing.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Heading slot="title">{title}</Heading>
      {children}
      {typed !== undefined && (
        <Field label={`Type ${typed} to go on`} value={words} onChange={setWords} autoFocus autoComplete="off" />
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

/** A button for what cannot be taken back: it asks first. */
export const Confirm = (confirming: Confirming) => (
  <DialogTrigger>
    <Button>{confirming.action}</Button>
    <ModalOverlay className="overlay" isDismissable>
      <Modal className="card modal">
        <Dialog>{({ close }) => <Question {...confirming} close={close} />}</Dialog>
      </Modal>
    </ModalOverlay>
  </DialogTrigger>
)
