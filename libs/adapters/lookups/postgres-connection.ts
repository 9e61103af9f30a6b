const sslModes = ['verify-full', 'disable']

/** Returns what is wrong with the connection string, or null. The result never contains the string or its password. */
export const connectionFault = (connection: string): string | null => {
  if (!/^postgres(?:ql)?:$/.test(URL.canParse(connection) ? new URL(connection).protocol : ''))
    return 'is not a connection string: write it as postgres://user:password@host:5432/database'
  const mode = new URL(connection).searchParams.get('sslmode')
  return mode === null || sslModes.includes(mode)
    ? null
    : 'has an unsafe sslmode: use verify-full (the default, with sslrootcert for your own certificate authority) or disable'
}

/** Adds `sslmode=verify-full` if the string has no `sslmode`. Otherwise the client would connect without TLS. */
export const withTls = (connection: string): string => {
  const url = new URL(connection)
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  return url.href
}
