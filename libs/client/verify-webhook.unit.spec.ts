import { Webhook as Signer } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { verifyWebhook, WebhookRefused } from './index'

const secret = `whsec_${Buffer.from('a secret of a webhook').toString('base64')}`
const message = {
  type: 'run.answered',
  timestamp: '2026-11-23T12:00:00.000Z',
  data: { runId: 'r1', status: 'answered' },
}
const body = JSON.stringify(message)
const signed = (at = new Date(), by = secret) => ({
  'webhook-id': 'one',
  'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
  'webhook-signature': new Signer(by).sign('one', at, body),
})

it('accepts a signed message with the headers of Node or the web, and while the secret is being replaced', async () => {
  const headers = signed()
  const other = signed(new Date(), `whsec_${Buffer.from('the one before').toString('base64')}`)
  const both = { ...headers, 'webhook-signature': `${other['webhook-signature']} ${headers['webhook-signature']}` }
  for (const given of [headers, new Headers(headers), both])
    expect(await verifyWebhook({ secret, headers: given, body })).toEqual({ id: 'one', ...message })
})

it.each([
  ['another body', { body: body.replace('r1', 'r2') }, /was changed/],
  ['another id', { headers: { ...signed(), 'webhook-id': 'two' } }, /was changed/],
  ['another time', { headers: { ...signed(), 'webhook-timestamp': '1' } }, /was changed/],
  ['another secret', { secret: `whsec_${btoa('of another webhook')}` }, /was changed/],
  ['an old one', { headers: signed(new Date(Date.now() - 400_000)) }, /five minutes/],
  ['one of a clock that is fast', { headers: signed(new Date(Date.now() + 400_000)) }, /five minutes/],
  ['no signature', { headers: { ...signed(), 'webhook-signature': undefined } }, /webhook-signature is missing/],
  ['what is none', { headers: { ...signed(), 'webhook-signature': 'v1,%% v2,abcd v1' } }, /was changed/],
  ['a secret that is none', { secret: 'whsec_' }, /secret does not have the format/],
])('refuses %s', async (_, changed, why) => {
  const refused = verifyWebhook({ secret, headers: signed(), body, ...changed })
  await expect(refused).rejects.toThrow(why)
  await expect(refused).rejects.toBeInstanceOf(WebhookRefused)
})
