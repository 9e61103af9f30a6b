const sslModes = ['verify-full', 'disable']

/** The result never contains the connection string, because the string has a password. */
export const connectionFault = (connection: string): string | null => {
  if (!/^postgres(?:ql)?:$/.test(URL.canParse(connection) ? new URL(connection).protocol : ''))
    return 'is not a connection string: write it as postgres://user:password@host:5432/database'
  const mode = new URL(connection).searchParams.get('sslmode')
  return mode === null || sslModes.includes(mode)
    ? null
    : 'has an unsafe sslmode: use verify-full (the default, with sslrootcert for your own certificate authority) or disable'
}

/** Adds `sslmode=verify-full` if the mode is missing, because the client would otherwise connect without TLS. */
export const withTls = (connection: string): string => {
  const url = new URL(connection)
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  return url.href
}
