import { mayUse, useSession } from '../session'
import { AuditLog } from './audit-log'
import { KeyCards } from './keys'
import { useTitle } from '../ui/title'
import './keys.css'

export const KeysPage = () => {
  useTitle('API keys')
  const { me } = useSession()
  if (!mayUse(me, 'admin') && !mayUse(me, 'operator'))
    return (
      <main className="page keys-page">
        <h1>API keys</h1>
        <p>Only admins and operators can manage keys. Ask the person who gave you your key.</p>
      </main>
    )
  return (
    <main className="page keys-page">
      <h1>API keys</h1>
      {me.mode === 'local' && (
        <p className="soft">
          Everyone on this machine can use Plumbline without a key. After you create an admin key, the gateway requires
          keys from its next start.
        </p>
      )}
      <KeyCards />
      {mayUse(me, 'admin') && <AuditLog />}
    </main>
  )
}
