import { Redis } from 'ioredis'

/** The lines of an ACL file, with a password for the user of the house. */
export const withPassword = (aclFile: string, password: string): string =>
  aclFile.replace('user plumbline reset on', `user plumbline reset on >${password}`)

/** Gives a running Redis the user of an ACL file; its own user, which needs no password, stays for the harness. */
export const addUser = async (port: number, aclFile: string, password: string): Promise<void> => {
  const [line = ''] = withPassword(aclFile, password)
    .split('\n')
    .filter((each) => each.startsWith('user plumbline'))
  const redis = new Redis(port, '127.0.0.1')
  try {
    await redis.call('ACL', 'SETUSER', ...line.split(' ').slice(1))
  } finally {
    redis.disconnect()
  }
}
