import { expect, test } from 'vitest'
import { answerTo } from './answer.ts'
import type { Taken } from './cloud-api.ts'

const about = {
  wamid: 'wamid.a',
  to: '2348031234567',
  biz_opaque_callback_data: '',
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
}
const context = { id: 'wamid.a' }
const withAction = (action: object) => ({ ...about, type: 'interactive', interactive: { action } }) as Taken

test('a person who answers with the title of a button or row chooses it', () => {
  const reply = { id: 'am', title: 'Morning' }
  const buttons = withAction({ buttons: [{ type: 'reply', reply }] })
  expect(answerTo(buttons, ' morning', [])).toEqual({
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: reply },
    context,
  })
  const row = { id: '1', title: 'Express', description: 'Tomorrow' }
  const list = withAction({ button: 'Choose', sections: [{ rows: [row] }] })
  expect(answerTo(list, 'Express', [])).toMatchObject({ interactive: { type: 'list_reply', list_reply: row }, context })
  expect(answerTo(list, 'Choose', [])).toEqual({ type: 'text', text: { body: 'Choose' } })
})

test('a quick reply of a template reports its payload', () => {
  const quick = { type: 'QUICK_REPLY', text: 'Got it' }
  const components = [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track' }, quick] }]
  const template = { name: 'shipped', components }
  const parameters = [{ type: 'payload', payload: 'got 7' }]
  const part = { type: 'button', sub_type: 'quick_reply', index: '1', parameters }
  const message = (parts: object[]) =>
    ({
      ...about,
      type: 'template',
      template: { name: 'shipped', language: { code: 'en' }, components: parts },
    }) as Taken
  const pressed = (payload: string) => ({ type: 'button', button: { text: 'Got it', payload }, context })
  expect(answerTo(message([part]), 'got it', [template])).toEqual(pressed('got 7'))
  expect(answerTo(message([]), 'Got it', [template])).toEqual(pressed('Got it'))
  expect(answerTo(message([]), 'Track', [template])).toMatchObject({ type: 'text' })
})

test('an emoji is a reaction to the message, if there is one', () => {
  const message = { ...about, type: 'text', text: { body: 'Hello' } }
  for (const emoji of ['👍', '❤️', '👍🏿']) {
    expect(answerTo(message, emoji, [])).toEqual({ type: 'reaction', reaction: { message_id: 'wamid.a', emoji } })
    expect(answerTo(undefined, emoji, [])).toEqual({ type: 'text', text: { body: emoji } })
  }
  expect(answerTo(message, '7', [])).toMatchObject({ type: 'text' })
})
