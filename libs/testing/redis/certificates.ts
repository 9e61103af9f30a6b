import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Writes `ca.crt`, `server.crt` and `server.key` to the folder. The certificates are valid for a day. */
export const makeCertificates = async (dir: string): Promise<{ ca: string; cert: string; key: string }> => {
  const at = (name: string): string => join(dir, name)
  const openssl = (...args: string[]) => run('openssl', args)
  await writeFile(at('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const days = ['-days', '1']
  await openssl('req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.crt'), '-subj', '/CN=test', ...days)
  await openssl('req', ...newKey, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=redis')
  const signed = ['-in', at('server.csr'), '-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial']
  await openssl('x509', '-req', ...signed, '-out', at('server.crt'), '-extfile', at('names'), ...days)
  return { ca: at('ca.crt'), cert: at('server.crt'), key: at('server.key') }
}
