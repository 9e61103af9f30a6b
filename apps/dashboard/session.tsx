import { createContext, type FormEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import type { Me } from '@plumbline/contracts'
import { Button, Field } from './ui/controls'
import { Problem } from './ui/problem'

/** `clientWith`: the same client, which sends by another `fetch`. */
type Session = { client: Client; clientWith: (fetch: typeof globalThis.fetch) => Client; me: Me; signOut: () => void }

const SessionContext = createContext<Session | null>(null)

/** The client with the reader's key, and who that is. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of SessionGate')
  return session
}

/** An admin may do all that is done within a tenant; what all tenants share is the operator's. */
export const mayUse = ({ roles }: Me, role: 'asker' | 'reviewer' | 'admin' | 'operator'): boolean =>
  roles.includes(role) || (roles.includes('admin') && role !== 'operator')

const stored = 'plumbline.key'
const readKey = (): string | undefined => sessionStorage.getItem(stored) ?? localStorage.getItem(stored) ?? undefined
const forgetKey = (): void => {
  sessionStorage.removeItem(stored)
  localStorage.removeItem(stored)
}

const SignIn = ({ refused, onKey }: { refused: boolean; onKey: (key: string) => void }) => {
  const [key, setKey] = useState('')
  const [stays, setStays] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    forgetKey()
    ;(stays ? localStorage : sessionStorage).setItem(stored, key.trim())
    onKey(key.trim())
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <h1>Sign in</h1>
        <p className="soft">Use the key that your operator gave you.</p>
        <Field label="Key" type="password" value={key} onChange={setKey} autoFocus isRequired />
        {refused && <p role="alert">This key is not known here, or it was revoked. Check it and try again.</p>}
        <label className="check">
          <input type="checkbox" checked={stays} onChange={({ target }) => setStays(target.checked)} /> Stay signed in
          on this computer
        </label>
        <Button type="submit" main isDisabled={key.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  )
}

/** Shows the app to who may see it: without keys everyone on this machine, else whoever has one. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [key, setKey] = useState(readKey)
  const queries = useQueryClient()
  const { client, clientWith } = useMemo(() => {
    const options = { url: location.origin, ...(key !== undefined && { key }) }
    const clientWith: Session['clientWith'] = (fetch) => createClient({ ...options, fetch })
    return { client: createClient(options), clientWith }
  }, [key])
  const {
    data: me,
    error,
    refetch,
  } = useQuery({ queryKey: ['me', key], queryFn: () => client.me(), staleTime: 60_000 })
  const session = useMemo(
    () =>
      me && {
        client,
        clientWith,
        me,
        signOut: () => {
          forgetKey()
          queries.clear()
          setKey(undefined)
        },
      },
    [client, clientWith, me, queries],
  )
  if (session) return <SessionContext value={session}>{children}</SessionContext>
  if (error instanceof ProblemError && error.problem.status === 401)
    return <SignIn refused={key !== undefined} onKey={setKey} />
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return <main aria-busy="true" />
}
