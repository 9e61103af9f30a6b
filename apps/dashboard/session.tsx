import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import type { Me } from '@plumbline/contracts'
import { Button, Field } from './ui/controls'
import { Problem } from './ui/problem'
import { AppSkeleton } from './ui/skeleton'

type Session = { client: Client; clientWith: (fetch: typeof globalThis.fetch) => Client; me: Me; signOut: () => void }

const SessionContext = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of SessionGate')
  return session
}

/** Returns whether the user has a role. An admin has every role except `operator`. */
export const mayUse = ({ roles }: Me, role: 'asker' | 'reviewer' | 'admin' | 'operator'): boolean =>
  roles.includes(role) || (roles.includes('admin') && role !== 'operator')

export const offers = ({ features }: Me, name: string): boolean => features === undefined || features.includes(name)

/** Returns whether a key may read questions, answers and documents. */
export const mayRead = (me: Me): boolean => mayUse(me, 'asker') || mayUse(me, 'reviewer')

const storageKey = 'plumbline.key'
const readKey = (): string | undefined =>
  sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey) ?? undefined
const forgetKey = (): void => {
  sessionStorage.removeItem(storageKey)
  localStorage.removeItem(storageKey)
}

const SignIn = ({ refused, onKey }: { refused: boolean; onKey: (key: string) => void }) => {
  const [key, setKey] = useState('')
  const [stays, setStays] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    forgetKey()
    ;(stays ? localStorage : sessionStorage).setItem(storageKey, key.trim())
    onKey(key.trim())
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <h1>Sign in</h1>
        <p className="soft">Use the key that your operator gave you.</p>
        <Field label="Key" type="password" value={key} onChange={setKey} autoFocus required />
        {refused && <p role="alert">This key is unknown or revoked. Check it and try again.</p>}
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

const isRefusal = (error: unknown): boolean => error instanceof ProblemError && error.problem.status === 401

const useKeyRefusals = (onRefusal: () => void): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const stops = [
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error)) onRefusal()
      }),
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error)) onRefusal()
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [queries, onRefusal])
}

const useRefetchAll = (clients: object): void => {
  const queries = useQueryClient()
  const last = useRef(clients)
  useEffect(() => {
    if (last.current === clients) return
    last.current = clients
    void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'me' })
  }, [clients, queries])
}

const clientsFor = (key: string | undefined) => {
  const options = { url: location.origin, ...(key !== undefined && { key }) }
  const clientWith: Session['clientWith'] = (fetch) => createClient({ ...options, fetch })
  return { client: createClient(options), clientWith }
}

/** Shows the app after sign-in. If the key is refused later, the form covers the page, so that typed text is kept. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [key, setKey] = useState(readKey)
  const [lastMe, setLastMe] = useState<Me | null>(null)
  const [refusedKey, setRefusedKey] = useState<{ key: string | undefined } | null>(null)
  const queries = useQueryClient()
  const clients = useMemo(() => clientsFor(key), [key])
  const { data, error, refetch } = useQuery({
    queryKey: ['me', key],
    queryFn: () => clients.client.me(),
    staleTime: 60_000,
  })
  const isRefused = isRefusal(error) || (refusedKey !== null && refusedKey.key === key)
  useKeyRefusals(useCallback(() => setRefusedKey({ key }), [key]))
  useEffect(() => {
    if (data) setLastMe(data)
  }, [data])
  const me = data ?? lastMe
  useRefetchAll(clients)
  const session = useMemo(
    () =>
      me && {
        ...clients,
        me,
        signOut: () => {
          forgetKey()
          queries.clear()
          setLastMe(null)
          setKey(undefined)
        },
      },
    [clients, me, queries],
  )
  const signIn = (next: string): void => {
    setRefusedKey(null)
    setKey(next)
    // If the key is unchanged, check it again, because it may have become valid.
    if (next === key) void refetch()
  }
  if (!session) {
    if (isRefused) return <SignIn refused={key !== undefined} onKey={signIn} />
    if (error) return <Problem error={error} retry={() => void refetch()} />
    return <AppSkeleton />
  }
  return (
    <SessionContext value={session}>
      {/* This React key changes when another person signs in, so that text that was typed before is discarded. */}
      <div key={`${session.me.tenant} ${session.me.name}`} inert={isRefused}>
        {children}
      </div>
      {isRefused && (
        <div className="sign-in-over">
          <SignIn refused onKey={signIn} />
        </div>
      )}
    </SessionContext>
  )
}
