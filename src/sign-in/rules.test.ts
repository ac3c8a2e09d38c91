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
    { 'urn:zitadel:iam:org:project:roles': { ops: { '2891': 'acme.example' } } },
    'urn:zitadel:iam:org:project:roles',
    'ops',
  ],
  ['a key that is true', { groups: { a: false, ops: true } }, 'groups', 'ops'],
  ['a yes', { staff: true }, 'staff', 'true'],
])('a rule reads %s', (_, claims, claim, value) => {
  const rules = { roles: [to(claim, value)], operators: [] }
  expect(placeBy(rules, claims)).toEqual({ organisation: 'Acme', role: 'admin' })
  expect(placeBy({ roles: [to(claim, 'other')], operators: [] }, claims)).toBeUndefined()
  expect(placeBy(rules, {})).toBeUndefined()
  expect([speaksOfRules(rules, claims), speaksOfRules(rules, { sub: '1' })]).toEqual([true, false])
})

test.each([
  ...[false, null, 0, 1, '', 'false', 'true', 'ops', [], ['ops'], {}, { ops: false }, { ops: '' }].map((value) => ({
    groups: { ops: value },
  })),
  { groups: { team: { ops: true } } },
  { groups: [] },
  { groups: [[]] },
  { groups: [['ops']] },
  { groups: [{ ops: true }] },
  { groups: [null, false, 0, '', 'OPS', ' ops', 'ops,admins'] },
  ...['', 'ops,admins', 'ops admins', 'Ops', 0, 1, true, false, null].map((groups) => ({ groups })),
  { Groups: ['ops'] },
  { ops: true },
])('%j makes no operator', (claims) => {
  const rules = { roles: [to('groups', 'ops')], operators: [{ claim: 'groups', value: 'ops' }] }
  expect(placeBy(rules, claims)).toBeUndefined()
})

test.each([
  [{ realm_access: { roles: { ops: false } } }, undefined],
  [{ realm_access: { roles: { ops: true } } }, 'operator'],
  [{ realm_access: ['roles'] }, undefined],
  [{ realm_access: { roles: 'ops' } }, 'operator'],
  [{ 'realm_access.roles': { ops: false }, realm_access: { roles: ['ops'] } }, undefined],
])('%j, step by step', (claims, place) => {
  expect(placeBy({ roles: [], operators: [{ claim: 'realm_access.roles', value: 'ops' }] }, claims)).toBe(place)
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

test('a provider has authority over organisations in its rules and existing_users', () => {
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
