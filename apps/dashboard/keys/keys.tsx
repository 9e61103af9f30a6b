import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ProblemError } from '@plumbline/client'
import type { KeyView, KeyWithSecret } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { CopyButton } from '../ui/copy-button'
import { Problem } from '../ui/problem'
import { clockTime, fromNow } from '../ui/time'
import { NewKey } from './new-key'
import { useChange } from './use-change'

const graceSeconds = 86_400
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const dateText = (iso: string): string => day.format(new Date(iso))

const accessText = ({ access }: KeyView): string => {
  if (access === 'all') return 'reads all documents'
  return access.length === 0
    ? 'reads only documents without access tags'
    : `reads documents without access tags or with the tag ${access.join(' or ')}`
}
const lifetimeTexts = ({ status, expiresAt, revokedAt, lastUsedAt, oldUntil }: KeyView): string[] => {
  if (status === 'revoked') return [`revoked ${dateText(revokedAt ?? '')}`]
  if (status === 'expired') return [`expired ${dateText(expiresAt ?? '')}`]
  return [
    lastUsedAt === undefined ? 'never used' : `used ${fromNow(lastUsedAt)}`,
    ...(expiresAt === undefined ? [] : [`expires ${dateText(expiresAt)}`]),
    ...(oldUntil === undefined ? [] : [`the old key works until ${clockTime(oldUntil)}`]),
  ]
}

const NewKeyNotice = ({ made: { name, key } }: { made: KeyWithSecret }) => {
  return (
    <div className="secret" role="status">
      <p>
        This is the key of <b>{name}</b>. Copy it now, because it is not shown again.
      </p>
      <code className="mono">{key}</code>
      <CopyButton text={key} />
    </div>
  )
}

type ShowKey = (made: KeyWithSecret | null) => void

const RevokeForm = ({ of: { id, name }, onEnd }: { of: KeyView; onEnd: () => void }) => {
  const { client } = useSession()
  const revoke = useChange((force: boolean) => client.revokeKey(id, { force }), onEnd)
  const { error } = revoke
  const isLast = error instanceof ProblemError && error.problem.type.endsWith(':last-admin')
  return (
    <>
      <div className="actions">
        <Button onPress={() => revoke.mutate(isLast)} isDisabled={revoke.isPending} autoFocus>
          {isLast ? `Revoke the last admin key, ${name}` : `Revoke ${name} for good`}
        </Button>
        <Button onPress={onEnd}>Do not revoke</Button>
      </div>
      {error && <Problem error={error} />}
    </>
  )
}

const Row = ({ of, show }: { of: KeyView; show: ShowKey }) => {
  const { client } = useSession()
  const { id, name, prefix, roles, status } = of
  const [revoking, setRevoking] = useState(false)
  const rotate = useChange(() => client.rotateKey(id, graceSeconds), show)
  const end = (): void => {
    setRevoking(false)
    show(null)
  }
  return (
    <li className={status === 'active' ? undefined : 'ended'}>
      <div>
        <b>{name}</b> <span className="mono">{prefix}…</span>
        {roles.map((role) => (
          <span key={role} className="chip">
            {role}
          </span>
        ))}
        <div className="small soft">
          {[accessText(of), ...lifetimeTexts(of)].join(' · ')} · <span className="mono">{id}</span>
        </div>
        {rotate.error && <Problem error={rotate.error} />}
      </div>
      {status === 'active' &&
        (revoking ? (
          <RevokeForm of={of} onEnd={end} />
        ) : (
          <div className="actions">
            <Button
              onPress={() => rotate.mutate(undefined)}
              isDisabled={rotate.isPending}
              aria-label={`Rotate ${name}: creates a new key; the old key works for one more day`}
            >
              Rotate
            </Button>
            <Button onPress={() => setRevoking(true)} aria-label={`Revoke ${name}`}>
              Revoke
            </Button>
          </div>
        ))}
    </li>
  )
}

const keyCountText = (active: number, fixed: number): string => {
  const here = active === 0 ? 'No keys yet.' : `${active} active ${active === 1 ? 'key' : 'keys'}.`
  return fixed === 0
    ? here
    : `${here} ${fixed} more ${fixed === 1 ? 'key is' : 'keys are'} set in the gateway settings. Change ${fixed === 1 ? 'it' : 'them'} there.`
}

export const KeyCards = () => {
  const { client } = useSession()
  const [shown, setShown] = useState<KeyWithSecret | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', 'list'],
    queryFn: ({ signal }) => client.keys({ signal }),
  })
  return (
    <>
      <section className="card keys" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {data && <p>{keyCountText(data.items.filter(({ status }) => status === 'active').length, data.fixed)}</p>}
        {shown && <NewKeyNotice key={shown.key} made={shown} />}
        {data && data.items.length > 0 && (
          <ul>
            {data.items.map((one) => (
              <Row key={one.id} of={one} show={setShown} />
            ))}
          </ul>
        )}
      </section>
      <NewKey show={setShown} />
    </>
  )
}
