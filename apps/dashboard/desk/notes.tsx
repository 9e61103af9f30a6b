import { type FormEvent, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clean, type ReviewView } from '@plumbline/contracts'
import { usePeople } from '../people'
import { useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'

export const Notes = ({ view: { run, notes = [] } }: { view: ReviewView }) => {
  const { client } = useSession()
  const nameOf = usePeople()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: (text: string) => client.addNote(run.id, { text }),
    onSuccess: () => setText(''),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk', 'item', run.id] }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate(text.trim())
  }
  return (
    <section className="part notes">
      <h2>Reviewer notes</h2>
      {notes.map(({ by, at, text }, index) => (
        <p key={index}>
          {clean(text)}{' '}
          <span className="small soft">
            {nameOf(by)}, {fromNow(at)}
          </span>
        </p>
      ))}
      <form onSubmit={submit}>
        <Field label="Note" value={text} onChange={setText} maxLength={2_000} />
        <Button type="submit" isDisabled={text.trim() === '' || add.isPending}>
          Add note
        </Button>
      </form>
      {add.error && <Problem error={add.error} />}
    </section>
  )
}
