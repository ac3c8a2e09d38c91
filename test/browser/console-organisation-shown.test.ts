import { expect } from 'vitest'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { person } from '../support/person.ts'

const at = desk()
type Listed = { organisations: { id: string; test_id: string; name: string }[] }

test('an operator sees the first organisation on the first login, later the one that was shown last, however many are newer', async () => {
  const { service, page, context } = at
  const looked = await service.organisation()
  await service.db`update organisations set name = 'Looked at' where id = ${looked.id}`
  await enter(context, service, null)
  await openPage(page, service, 'overview')
  const field = page.getByLabel('Organisation').first()
  const { body } = await (await person(service, null)).call<Listed>('GET', '/console/api/session')
  const first = body.organisations.find(({ id }) => id === service.id)
  expect(await field.innerText()).toContain(first?.name)
  await choose(field, 'Looked at (test)')
  await page.getByText('Looked at (test)').first().waitFor()

  for (let n = 0; n < 55; n += 1) await service.organisation()
  const operator = await person(service, null)
  const session = async (chosen?: string) =>
    (
      await operator.call<Listed>(
        'GET',
        '/console/api/session',
        undefined,
        chosen === undefined ? {} : { 'x-organisation-id': chosen },
      )
    ).body.organisations
  const plain = await session()
  expect(plain.some(({ id }) => id === looked.id)).toBe(false)
  expect(plain.at(-1)?.id).toBe(service.id)
  const test_id = (await session(looked.id)).find(({ id }) => id === looked.id)?.test_id
  const of_twin = await session(test_id)
  expect(of_twin.filter(({ id }) => id === looked.id)).toHaveLength(1)
  expect(of_twin.at(-1)?.id).toBe(service.id)
  expect((await session('nobody')).map(({ id }) => id)).toEqual(plain.map(({ id }) => id))

  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await field.innerText()).toContain('Looked at (test)')
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await field.innerText()).toContain(first?.name)
  await at.calm()
})
