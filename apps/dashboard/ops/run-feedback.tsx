import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { mayUse, useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'

/** Asks the person who views a run whether its answer was useful. */
export const RunFeedback = ({ id }: { id: string }) => {
  const { client, me } = useSession()
  const [note, setNote] = useState('')
  const said = useMutation({
    mutationFn: (useful: boolean) => client.feedback(id, { useful, ...(note.trim() && { note: note.trim() }) }),
  })
  if (!mayUse(me, 'asker')) return null
  if (said.isSuccess)
    return (
      <p className="soft" role="status">
        {said.variables ? 'Marked as useful.' : 'Marked as not useful.'}
      </p>
    )
  return (
    <section className="feedback" aria-label="Feedback">
      <Field label="Comment (optional)" value={note} onChange={setNote} />
      <Button onPress={() => said.mutate(true)} isDisabled={said.isPending}>
        Useful
      </Button>
      <Button onPress={() => said.mutate(false)} isDisabled={said.isPending}>
        Not useful
      </Button>
      {said.error && <Problem error={said.error} />}
    </section>
  )
}
