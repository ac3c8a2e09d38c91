import { expect, test } from 'vitest'
import { placeBy, speaksFor, speaksOfRules } from './rules.ts'

const to = (claim: string, value: string, role: 'admin' | 'viewer' = 'admin') => ({
  claim,
  value,
  organisation: 'Acme',
  role,
})

test.each([
  ['a text', { team: 'ops' }, 'team', 'ops'],
  ['a list', { groups: ['a', 'ops'] }, 'groups', 'ops'],
  ['steps into it', { realm_access: { roles: ['ops'] } }, 'realm_access.roles', 'ops'],
  ['a name with dots', { 'https://acme.example/roles': ['ops'] }, 'https://acme.example/roles', 'ops'],
  [
    'keys of an object',
    { 'urn:zitadel:iam:org:project:roles': { ops: {} } },
    'urn:zitadel:iam:org:project:roles',
    'ops',
  ],
  ['a yes', { staff: true }, 'staff', 'true'],
])('a rule reads %s', (_, claims, claim, value) => {
  const rules = { roles: [to(claim, value)], operators: [] }
  expect(placeBy(rules, claims)).toEqual({ organisation: 'Acme', role: 'admin' })
  expect(placeBy({ roles: [to(claim, 'other')], operators: [] }, claims)).toBeUndefined()
  expect(placeBy(rules, {})).toBeUndefined()
  expect([speaksOfRules(rules, claims), speaksOfRules(rules, { sub: '1' })]).toEqual([true, false])
})

test('what every object has is no claim', () => {
  expect(placeBy({ roles: [to('groups', 'constructor')], operators: [] }, { groups: {} })).toBeUndefined()
  expect(placeBy({ roles: [to('toString.name', 'toString')], operators: [] }, {})).toBeUndefined()
})

test('operators go first, then the first rule that fits', () => {
  const claims = { groups: ['viewers', 'admins', 'ops'] }
  const roles = [to('groups', 'viewers', 'viewer'), to('groups', 'admins')]
  expect(placeBy({ roles, operators: [] }, claims)).toMatchObject({ role: 'viewer' })
  expect(placeBy({ roles, operators: [{ claim: 'groups', value: 'ops' }] }, claims)).toBe('operator')
})

test('a provider speaks for those it gives roles to, and for whom it is told', () => {
  expect(speaksFor({ roles: [to('a', 'b')], operators: [], existing_users: ['Other'] })).toEqual({
    everybody: false,
    operators: false,
    organisations: ['Acme', 'Other'],
  })
  expect(speaksFor({ roles: [], operators: [], existing_users: ['*'] })).toMatchObject({
    everybody: true,
    operators: true,
  })
})
