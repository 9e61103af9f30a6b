import { mayUse, useSession } from '../session'
import { Changes } from './changes'
import { KeyCards } from './keys'
import { useTitle } from '../ui/title'
import './keys.css'

/** Shows the API keys, and the audit log for admins. */
export const Keys = () => {
  useTitle('API keys')
  const { me } = useSession()
  if (!mayUse(me, 'admin') && !mayUse(me, 'operator'))
    return (
      <main className="page keys-page">
        <h1>API keys</h1>
        <p>Keys are made by admins. Your key does not have that role; ask whoever gave it to you.</p>
      </main>
    )
  return (
    <main className="page keys-page">
      <h1>API keys</h1>
      {me.mode === 'local' && (
        <p className="soft">
          Everyone on this machine comes in without a key. Once there is a key of an admin, the gateway asks for keys
          from its next start on.
        </p>
      )}
      <KeyCards />
      {mayUse(me, 'admin') && <Changes />}
    </main>
  )
}
