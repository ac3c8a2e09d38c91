import { describe, expect, test } from 'vitest'
import { HttpSettings } from '../carriers/http/schema.ts'
import { PhoneSettings } from '../carriers/phone/schema.ts'
import { SimulatorSettings } from '../carriers/simulator/schema.ts'
import { SmppSettings } from '../carriers/smpp/schema.ts'
import { WhatsappAccount } from '../carriers/whatsapp/schema.ts'
import { isRecord } from '../values/record.ts'
import { putSecrets, SECRET_FIELDS, takeSecrets } from './secrets.ts'

const SCHEMAS = { SimulatorSettings, SmppSettings, WhatsappAccount, HttpSettings, PhoneSettings }
const SECRET_NAME = /password|secret|token|credential|api_?key/

/** Paths of fields whose name says that they are secret; `*` for items and names. */
function secretPaths(schema: unknown, path: readonly string[] = []): string[] {
  if (!isRecord(schema)) return []
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf : []
  const named = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  const others = isRecord(schema.patternProperties) ? Object.values(schema.patternProperties) : []
  const below = [
    ...choices.flatMap((one) => secretPaths(one, path)),
    ...named.flatMap(([name, own]) => secretPaths(own, [...path, name])),
    ...[...others, schema.items].flatMap((own) => secretPaths(own, [...path, '*'])),
  ]
  const is_secret = schema.type === 'string' && path.some((part) => SECRET_NAME.test(part))
  return [...(is_secret ? [path.join('.')] : []), ...below]
}

describe('secret fields', () => {
  test.each(Object.entries(SCHEMAS))('of %s are all declared', (_, schema) => {
    const declared = SECRET_FIELDS[schema.properties.kind.const] ?? []
    expect([...new Set(secretPaths(schema))].toSorted()).toEqual([...declared].toSorted())
  })
})

const SMPP = {
  kind: 'smpp',
  name: 'mtn',
  password: 'one',
  binds: [{ password: 'two' }, { host: 'other' }, { password: 'three' }],
}

test('placeholders name the path, and stand for the secret wherever they are', () => {
  const { settings, secrets } = takeSecrets('carrier', SMPP)
  expect(settings).toEqual({
    kind: 'smpp',
    name: 'mtn',
    password: '<secret password>',
    binds: [{ password: '<secret binds.0.password>' }, { host: 'other' }, { password: '<secret binds.2.password>' }],
  })
  expect(putSecrets('carrier', settings, secrets)).toEqual({ settings: SMPP, missing: [] })
  const reordered = { ...settings, binds: [{ password: '<secret binds.2.password>' }] }
  expect(putSecrets('carrier', reordered, secrets).settings.binds).toEqual([{ password: 'three' }])
})

test('a placeholder without a stored secret is reported; names of any kind are only data', () => {
  const given = JSON.parse('{"kind":"http","credentials":{"__proto__":"a","x.y":"<secret credentials.z>","n":5}}')
  const { settings, missing } = putSecrets('carrier', given, new Map())
  expect(missing).toEqual(['credentials.x.y'])
  expect(JSON.stringify(settings)).toBe(JSON.stringify(given))
  const taken = takeSecrets('carrier', given)
  expect(taken.secrets.get('credentials.__proto__')).toBe('a')
  expect(putSecrets('carrier', taken.settings, taken.secrets).settings).toEqual(given)
  expect(takeSecrets('route', { name: 'r', password: 'x' }).secrets.size).toBe(0)
})
