import { type FormEvent, useState } from 'react'
import { KeyRole, type KeyWithSecret } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Button, Check, Field, Select, toggleItem } from '../ui/controls'
import { Problem } from '../ui/problem'
import { useChange } from './use-change'

const roleNames: Record<KeyRole, string> = {
  asker: 'ask questions',
  reviewer: 'decide held answers',
  admin: 'manage this tenant: documents, rules, keys',
  'names-reviewers': 'send the name of the deciding person (for shared keys)',
  operator: 'operate the deployment for all tenants',
}
const lifetimes = { 'never expires': 0, '30 days': 30, '90 days': 90, 'a year': 365 }
const dayMs = 86_400_000
const empty = { name: '', roles: ['asker'] as KeyRole[], tags: '', life: 'a year' as keyof typeof lifetimes }

const tagsOf = (text: string): string[] => text.split(/[\s,]+/).filter((tag) => tag !== '')

const newKeyOf = ({ name, roles, tags, life }: typeof empty) => ({
  name: name.trim(),
  roles,
  access: tagsOf(tags).includes('*') ? ('all' as const) : tagsOf(tags),
  ...(lifetimes[life] > 0 && { expiresAt: new Date(Date.now() + lifetimes[life] * dayMs).toISOString() }),
})

type Fields = typeof empty
const Fields = ({ values, change }: { values: Fields; change: (fields: Partial<Fields>) => void }) => (
  <div className="beside">
    <Field
      label="Name"
      placeholder="For example: Help page"
      value={values.name}
      onChange={(name) => change({ name })}
    />
    <Field
      label="Access tags, or * for all documents"
      placeholder="staff, board"
      value={values.tags}
      onChange={(tags) => change({ tags })}
    />
    <Select
      label="Expires"
      value={values.life}
      options={(Object.keys(lifetimes) as (keyof typeof lifetimes)[]).map((life) => [life, life])}
      onChange={(life) => change({ life })}
    />
  </div>
)

export const NewKey = ({ show }: { show: (made: KeyWithSecret) => void }) => {
  const { client, me } = useSession()
  // In local mode, everybody may read everything. By default, new keys get the same access.
  const initial = { ...empty, tags: me.mode === 'local' ? '*' : '' }
  const [values, setValues] = useState(initial)
  const create = useChange(
    () => client.createKey(newKeyOf(values)),
    (key) => {
      show(key)
      setValues(initial)
    },
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate(undefined)
  }
  const given = KeyRole.options.filter((role) => role !== 'operator' || mayUse(me, 'operator'))
  return (
    <section className="card keys" aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      <form onSubmit={submit}>
        <Fields values={values} change={(fields) => setValues({ ...values, ...fields })} />
        <fieldset>
          <legend>Roles</legend>
          {given.map((role) => (
            <Check
              key={role}
              label={`${role}: ${roleNames[role]}`}
              on={values.roles.includes(role)}
              set={(on) => setValues({ ...values, roles: toggleItem(values.roles, role, on) })}
            />
          ))}
        </fieldset>
        {create.error && <Problem error={create.error} />}
        <div className="actions">
          <Button
            type="submit"
            main
            isDisabled={values.name.trim() === '' || values.roles.length === 0 || create.isPending}
          >
            Create key
          </Button>
        </div>
      </form>
    </section>
  )
}
