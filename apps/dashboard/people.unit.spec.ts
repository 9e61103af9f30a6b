import { expect, it } from 'vitest'
import { personName } from './people'

const names = new Map([['key-1a2b3c4d5e6f', 'Rita Maas']])

it('names a person by the key, by the identity provider, or by the id', () => {
  expect(personName('key-1a2b3c4d5e6f', names)).toBe('Rita Maas')
  expect(personName('sam as named by key-1a2b3c4d5e6f', names)).toBe('sam as named by Rita Maas')
  expect(personName('oidc:sam@acme.example', names)).toBe('sam@acme.example')
  expect(personName('oidc:0123456789ab', names)).toBe('oidc:0123456789ab')
  expect(personName('key-000000000000', names)).toBe('key-000000000000')
  expect(personName('local', names)).toBe('local')
})
