import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isRead } from '../../src/http/route/authorize.ts'
import { actionName } from '../../console/src/pages/audit/actions.ts'

type Document = { paths: Record<string, Record<string, unknown>> }

const WRITES = ['post', 'put', 'patch', 'delete']
/** Two spellings of the same row. */
const ALIAS = /\/row\/:row_id$/

/** All changes through the API, as the audit log names them. */
function actions(): string[] {
  const { paths }: Document = JSON.parse(readFileSync('openapi.json', 'utf8'))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => WRITES.includes(method) && !isRead(method.toUpperCase(), path) && !path.startsWith('/lookup'))
      .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
      .filter((action) => !ALIAS.test(action)),
  )
}

test('the audit log has a different name for each action', () => {
  const all = actions()
  const shared = all.filter((action) =>
    all.some((other) => other !== action && actionName(other) === actionName(action)),
  )
  expect(all.length).toBeGreaterThan(30)
  expect(shared).toEqual([])
})

test('an action without a text is named by the verb at the end of its path', () => {
  expect(actionName('POST /templates/:id/archive')).toBe('Asked to archive a template')
  expect(actionName('POST /webhooks/:id/test')).toBe('Sent a test to a webhook')
  expect(actionName('PATCH /templates/:id')).toBe('Changed a template')
})
