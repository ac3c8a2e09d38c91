import { expect, test } from 'vitest'
import twilio from 'twilio'
import { assert, property, string } from 'fast-check'
import { readTwiml } from './twiml.ts'

test('reads what the library of Twilio writes', () => {
  const response = new twilio.twiml.MessagingResponse()
  response.message('Fish & chips <soon> "now"\nand more')
  const message = response.message({ to: '+2348031234567', from: 'Shop', action: 'https://a.example/?a=1&b=2' }, '')
  message.body('In a body ₦')
  message.media('https://a.example/a.png')
  expect(readTwiml(response.toString())).toEqual([
    { text: 'Fish & chips <soon> "now"\nand more' },
    { text: 'In a body ₦', to: '+2348031234567', from: 'Shop', status_callback: 'https://a.example/?a=1&b=2' },
  ])
})

test('an empty response says nothing, and what is no TwiML is none', () => {
  expect(readTwiml('<?xml version="1.0" encoding="UTF-8"?><Response/>')).toEqual([])
  expect(readTwiml('<Response></Response>')).toEqual([])
  for (const other of ['', 'ok', '{"a":1}', '<html><Message>x</Message></html>', '<Responses/>']) {
    expect(readTwiml(other)).toBeUndefined()
  }
})

test('what is broken off or not XML is not half an answer', () => {
  for (const broken of [
    '<Response><Message>half',
    '<Response><Message>a</Message',
    '<Response><Message <b>a</Message>',
  ]) {
    expect(readTwiml(broken)).toBeUndefined()
  }
})

test('comments say nothing, marked text is taken as it is, and entities of others are not known', () => {
  expect(
    readTwiml('<Response><Message>a<!-- <Message>no</Message> -->b<![CDATA[<c>&amp;]]></Message></Response>'),
  ).toEqual([{ text: 'ab<c>&amp;' }])
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><Response><Message>&a;</Message></Response>'
  expect(readTwiml(bomb)).toBeUndefined()
  expect(readTwiml('<Response><Message>&a; &#65;&#x42;</Message></Response>')).toEqual([{ text: '&a; AB' }])
})

test('at most ten messages, whatever is written', () => {
  const many = `<Response>${'<Message>x</Message>'.repeat(50)}</Response>`
  expect(readTwiml(many)).toHaveLength(10)
})

test('any text that is written by the library is read back', () => {
  const text = string({ unit: 'grapheme', minLength: 1 }).filter(
    (one) => !/[\p{Cc}\ufffe\uffff]/u.test(one) && one.trim() === one,
  )
  assert(
    property(text, (body) => {
      const response = new twilio.twiml.MessagingResponse()
      response.message(body)
      expect(readTwiml(response.toString())).toEqual([{ text: body }])
    }),
  )
})

test('takes time in proportion to its length', () => {
  for (const piece of ['<', '<Message ', '<Message a="', '<!--', '&#', "<Body '"]) {
    expect(() => readTwiml(`<Response>${piece.repeat(20_000)}`)).not.toThrow()
  }
})
