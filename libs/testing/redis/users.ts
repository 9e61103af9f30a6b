import { Redis } from 'ioredis'

export const withPassword = (aclFile: string, password: string): string =>
  aclFile.replace('user plumbline reset on', `user plumbline reset on >${password}`)

/** Adds the user of an ACL file. The default user stays without a password, because the tests need it. */
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
