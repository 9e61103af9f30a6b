import { createHmac } from 'node:crypto'

const prefix = /^whsec_/

const signed = (secret: string, text: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(prefix, ''), 'base64'))
    .update(text)
    .digest('base64')}`

/** Returns the headers that sign a message. While a secret is being replaced, each secret has its own signature. */
export const signatureHeaders = (
  secrets: string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> => {
  const seconds = Math.floor(at / 1_000)
  return {
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': secrets.map((secret) => signed(secret, `${id}.${seconds}.${body}`)).join(' '),
  }
}
