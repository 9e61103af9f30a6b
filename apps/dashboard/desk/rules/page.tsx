import { Link } from 'wouter'
import { mayUse, offers, useSession } from '../../session'
import { Deliveries } from './deliveries'
import { RulesForm } from './rules-form'
import { Webhooks } from './webhooks'
import { useTitle } from '../../ui/title'
import './rules.css'

export const RulesPage = () => {
  useTitle('Rules')
  const { me } = useSession()
  return (
    <main className="page rules-page">
      <Link href="/desk" className="small">
        Back to the desk
      </Link>
      <h1>{offers(me, 'webhooks') ? 'Rules and webhooks' : 'Rules'}</h1>
      {mayUse(me, 'admin') ? (
        <>
          <RulesForm />
          {offers(me, 'webhooks') && (
            <>
              <Webhooks />
              <Deliveries />
            </>
          )}
        </>
      ) : (
        <p>Only admins can see and change rules. To get access, ask the person who gave you your key.</p>
      )}
    </main>
  )
}
