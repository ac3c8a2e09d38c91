import { describe, expect, test } from 'vitest'
import { keywordOf } from './keyword.ts'

describe('a word to us', () => {
  test.each(['STOP', 'stop', ' Stop. ', '"STOP!"', 'StopAll', 'stop  all', 'UNSUBSCRIBE', 'cancel', 'End', 'quit\n'])(
    '%j ends it',
    (text) => expect(keywordOf(text)).toBe('stop'),
  )
  test.each(['START', 'unstop', '(start)', '🙏 Start 🙏'])('%j begins it again', (text) =>
    expect(keywordOf(text)).toBe('start'),
  )
  test('asks for help', () => expect(keywordOf('help?')).toBe('help'))
  test('is read in full-width letters too', () => expect(keywordOf('ＳＴＯＰ')).toBe('stop'))
  test.each(['', '  ', 'Please stop by tomorrow', 'STOP it', 'ENDING', 'weekend', 'STOP START', '1'])(
    '%j is none',
    (text) => expect(keywordOf(text)).toBeNull(),
  )
})
