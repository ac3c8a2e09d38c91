import { describe, expect, test } from 'vitest'
import { filledReply, placeholdersIn } from '../../console/src/pages/conversations/canned.ts'
import { viewsOf } from '../../console/src/pages/conversations/views.ts'

describe('a canned reply', () => {
  const ada = new Map([
    ['name', 'Ada'],
    ['first name', 'Ada $1'],
  ])

  test('has the values of the contact, then the defaults', () => {
    expect(filledReply('Hi {{Name}}, {{ first name }}, {{city|Lagos}}{{x|}}', ada)).toBe('Hi Ada, Ada $1, Lagos')
    expect(filledReply('Hi {{name|there}}', new Map())).toBe('Hi there')
  })

  test('keeps placeholders without a value, to be replaced before it is sent', () => {
    const text = filledReply('{{order}} for {{name}}, {{order}}', ada)
    expect(text).toBe('{{order}} for Ada, {{order}}')
    expect(placeholdersIn(text)).toEqual(['{{order}}'])
    expect(placeholdersIn('{order} {{}} plain')).toEqual([])
  })
})

describe('the views of the inbox', () => {
  const users = [
    { id: 'a', name: 'Ada' },
    { id: 'b', name: 'Bola' },
  ]

  test('are of every assignee, and of the user who may be assigned', () => {
    expect(viewsOf('a', users).find(({ value }) => value === 'mine')?.query).toEqual({
      status: 'open',
      assignee_id: 'a',
    })
    expect(viewsOf('a', users).map(({ value }) => value)).not.toContain('user-a')
    expect(viewsOf('c', users).map(({ value }) => value)).toEqual(
      expect.arrayContaining(['open', 'unread', 'unassigned', 'closed', 'all', 'user-a', 'user-b']),
    )
    expect(viewsOf('c', users).map(({ value }) => value)).not.toContain('mine')
  })
})
