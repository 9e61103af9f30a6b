import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'

export const Feedback = ({ runId }: { runId: string }) => {
  const { client } = useSession()
  const [isWriting, setWriting] = useState(false)
  const [note, setNote] = useState('')
  const say = useMutation({
    mutationFn: (useful: boolean) => client.feedback(runId, { useful, ...(!useful && note.trim() !== '' && { note }) }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    say.mutate(false)
  }
  if (say.isSuccess)
    return (
      <p className="small soft feedback" role="status">
        {say.variables
          ? 'You marked the answer as useful.'
          : 'Your feedback was sent, with the question and the sources of the answer.'}{' '}
        Thank you.
      </p>
    )
  return (
    <div className={isWriting ? 'feedback writing' : 'feedback'}>
      {isWriting ? (
        <form onSubmit={submit}>
          <Field
            label="What was wrong or missing?"
            value={note}
            onChange={setNote}
            maxLength={2_000}
            autoFocus
            onFocus={({ target }) => target.scrollIntoView({ block: 'nearest' })}
          />
          <Button type="submit" isDisabled={say.isPending}>
            Send feedback
          </Button>
          <Button onPress={() => setWriting(false)}>Cancel</Button>
        </form>
      ) : (
        <>
          <Button isDisabled={say.isPending} onPress={() => say.mutate(true)}>
            Useful
          </Button>
          <Button onPress={() => setWriting(true)}>Not useful</Button>
        </>
      )}
      {say.error && <Problem error={say.error} />}
    </div>
  )
}
