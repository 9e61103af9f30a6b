import { WebhookMessage } from '@plumbline/contracts'

/** Thrown if a webhook message is not signed with the secret, was changed, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

export type ReceivedWebhook = {
  secret: string
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The request body exactly as received, because the signature covers this text. */
  body: string
}

/** A verified message. If the gateway sends the message again, `id` stays the same. */
export type VerifiedWebhook = WebhookMessage & { id: string }

const oldestMs = 5 * 60_000

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return null
  }
}

const isSigned = async (secret: string, text: string, signatures: string): Promise<boolean> => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes === null || bytes.length === 0)
    throw new WebhookRefused(
      'the secret does not have the format of a webhook secret: use the secret that was shown when the webhook was created',
    )
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const data = new TextEncoder().encode(text)
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : null
    if (given && (await crypto.subtle.verify('HMAC', key, given, data))) return true
  }
  return false
}

export const verifyWebhook = async ({ secret, headers, body }: ReceivedWebhook): Promise<VerifiedWebhook> => {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : [headers[name] ?? ''].flat()[0]
    if (!value) throw new WebhookRefused(`the header ${name} is missing`)
    return value
  }
  const [id, seconds, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!(await isSigned(secret, `${id}.${seconds}.${body}`, signatures)))
    throw new WebhookRefused('no signature matches the secret: the message was changed or comes from another sender')
  if (!(Math.abs(Date.now() - Number(seconds) * 1_000) <= oldestMs))
    throw new WebhookRefused(
      'the message was signed more than five minutes ago, or the clocks of sender and receiver differ by more than five minutes',
    )
  return { ...WebhookMessage.parse(JSON.parse(body)), id }
}
