import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { KeyView, LedgerPage } from '@plumbline/contracts'
import { useSession } from './session'

type Key = Pick<KeyView, 'id' | 'name'>

const namesOf = (keys: readonly Key[]): ReadonlyMap<string, string> => {
  const isShared = ({ id, name }: Key): boolean => keys.some((other) => other.name === name && other.id !== id)
  return new Map(keys.map((key) => [key.id, isShared(key) ? `${key.name} (${key.id})` : key.name]))
}

const provider = 'oidc:'
/** Returns whether a name is a hash, which replaces a name with unusual characters from an identity provider. */
const isHash = (name: string): boolean => /^[0-9a-f]{12}$/.test(name)

/** Returns the name of a person. If an application sent the name, the name of the application's key follows. */
export const personName = (who: string, names: ReadonlyMap<string, string>): string => {
  const [, person = '', id = who] = /^(\S+ as named by )?(\S+)$/.exec(who) ?? []
  const signedIn = id.startsWith(provider) ? id.slice(provider.length) : ''
  return `${person}${names.get(id) ?? (signedIn === '' || isHash(signedIn) ? id : signedIn)}`
}

/** Returns a function from the id of a key to its name. An asker may read only the name of the asker's own key. */
export const usePeople = (): ((who: string) => string) => {
  const { client, me } = useSession()
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ signal }) => client.keyNames({ signal }),
    enabled: me.mode === 'keys',
    staleTime: 60_000,
  })
  return useMemo(() => {
    const names = namesOf(data?.items ?? [])
    return (who: string) => personName(who, names)
  }, [data])
}

type Event = LedgerPage['items'][number]['event']

export const withNames = (events: readonly Event[], nameOf: (who: string) => string): Event[] =>
  events.map((event) => ('by' in event && event.by !== undefined ? { ...event, by: nameOf(event.by) } : event))
