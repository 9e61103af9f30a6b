import { type FormEvent, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { WebhookEvent, type WebhookView, type WebhookWithSecret } from '@plumbline/contracts'
import { useSession } from '../../session'
import { Button, Check, Field, toggleItem } from '../../ui/controls'
import { CopyButton } from '../../ui/copy-button'
import { Problem } from '../../ui/problem'
import { clockTime } from '../../ui/time'

const eventNames: Record<WebhookEvent, string> = {
  'run.parked': 'an answer is held',
  'run.escalated': 'a held answer is escalated',
  'run.decided': 'a person decided',
  'run.answered': 'a run ended with an answer',
  'run.failed': 'a run ended without an answer',
  'document.indexed': 'a document is ready',
  'batch.finished': 'a batch has ended',
  'schedule.changed': 'the answer of a schedule changed',
  'schedule.stopped': 'a schedule has stopped',
}

const Secret = ({ shown: { name, secret = '' } }: { shown: WebhookWithSecret }) => {
  return (
    <div className="secret" role="status">
      <p>
        This is the secret of <b>{name}</b>. Copy it to the receiver now, because it is not shown again.
      </p>
      <code className="mono">{secret}</code>
      <CopyButton text={secret} />
    </div>
  )
}

type ShowSecret = (shown: WebhookWithSecret | null) => void
const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, onDone: (done: Output) => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (done) => {
      onDone(done)
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
    },
  })
}

const Row = ({ webhook, show }: { webhook: WebhookView; show: ShowSecret }) => {
  const { client } = useSession()
  const { name, url, events, oldSecretUntil } = webhook
  const [removing, setRemoving] = useState(false)
  const rotate = useChange(() => client.rotateSecret(name), show)
  const remove = useChange(
    () => client.removeWebhook(name),
    () => show(null),
  )
  const error = rotate.error ?? remove.error
  return (
    <li>
      <div>
        <b>{name}</b> <span className="mono url">{url}</span>
        <div className="small soft">
          Sent when {events.map((event) => eventNames[event]).join(', or when ')}.
          {oldSecretUntil && ` The old secret is also valid until ${clockTime(oldSecretUntil)}.`}
        </div>
        {error && <Problem error={error} />}
      </div>
      <div className="actions">
        {removing ? (
          <>
            <Button onPress={() => remove.mutate(undefined)} autoFocus>
              Remove {name} for good
            </Button>
            <Button onPress={() => setRemoving(false)}>Do not remove</Button>
          </>
        ) : (
          <>
            <Button onPress={() => rotate.mutate(undefined)} aria-label={`New secret for ${name}`}>
              New secret
            </Button>
            <Button onPress={() => setRemoving(true)} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

const empty = { name: '', url: '', events: ['run.parked', 'run.escalated'] as WebhookEvent[] }

const NewWebhook = ({ show }: { show: ShowSecret }) => {
  const { client } = useSession()
  const [draft, setDraft] = useState(empty)
  const add = useChange(
    () => client.putWebhook(draft.name.trim(), { url: draft.url.trim(), events: draft.events }),
    (made) => {
      show(made)
      setDraft(empty)
    },
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate(undefined)
  }
  return (
    <form onSubmit={submit} className="new-webhook">
      <h3>Add or change a webhook</h3>
      <div className="beside">
        <Field
          label="Name"
          placeholder="held-answers"
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
        />
        <Field
          label="Address (URL)"
          type="url"
          placeholder="https://example.org/plumbline"
          value={draft.url}
          onChange={(url) => setDraft({ ...draft, url })}
        />
      </div>
      <fieldset className="choices">
        <legend>Notify when</legend>
        {WebhookEvent.options.map((event) => (
          <Check
            key={event}
            label={eventNames[event]}
            on={draft.events.includes(event)}
            set={(on) => setDraft({ ...draft, events: toggleItem(draft.events, event, on) })}
          />
        ))}
      </fieldset>
      {add.error && <Problem error={add.error} />}
      <div className="actions">
        <Button type="submit" isDisabled={!draft.name.trim() || !draft.url.trim() || add.isPending}>
          Save webhook
        </Button>
      </div>
    </form>
  )
}

export const Webhooks = () => {
  const { client } = useSession()
  const [shown, setShown] = useState<WebhookWithSecret | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => client.webhooks({ signal }),
  })
  return (
    <section className="card rules" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="says">
        {data?.items.length === 0
          ? 'No webhooks yet. A webhook announces held answers in the chat or tracker of your reviewers.'
          : 'Each message contains ids, a reason and a link, but no text of a draft. It is signed with the secret of its webhook.'}
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && data.items.length > 0 && (
        <ul className="webhooks">
          {data.items.map((webhook) => (
            <Row key={webhook.name} webhook={webhook} show={setShown} />
          ))}
        </ul>
      )}
      {shown?.secret !== undefined && <Secret key={shown.secret} shown={shown} />}
      <NewWebhook show={setShown} />
    </section>
  )
}
