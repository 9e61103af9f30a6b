import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { mayUse, useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'

export const RunFeedback = ({ id }: { id: string }) => {
  const { client, me } = useSession()
  const [note, setNote] = useState('')
  const feedback = useMutation({
    mutationFn: (useful: boolean) => client.feedback(id, { useful, ...(note.trim() && { note: note.trim() }) }),
  })
  if (!mayUse(me, 'asker')) return null
  if (feedback.isSuccess)
    return (
      <p className="soft" role="status">
        {feedback.variables ? 'Marked as useful.' : 'Marked as not useful.'}
      </p>
    )
  return (
    <section className="feedback" aria-label="Feedback">
      <Field label="Comment (optional)" value={note} onChange={setNote} />
      <Button onPress={() => feedback.mutate(true)} isDisabled={feedback.isPending}>
        Useful
      </Button>
      <Button onPress={() => feedback.mutate(false)} isDisabled={feedback.isPending}>
        Not useful
      </Button>
      {feedback.error && <Problem error={feedback.error} />}
    </section>
  )
}
