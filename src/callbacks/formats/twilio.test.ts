import { expect, test } from 'vitest'
import { twilioParams } from './twilio.ts'

const ID = '019a8475-0000-7000-8000-000000000001'
const about = { id: ID, from: '2348031234567', to: '15550783881', channel: 'whatsapp', text: 'Yes' }
const paramsOf = (whatsapp: unknown) =>
  twilioParams('AC1', { id: ID, type: 'text.received', created_datetime: '', data: { ...about, whatsapp } })

test('an inbound text has its button, location and quoted message in Twilio’s parameters', () => {
  const pressed = { type: 'button_reply', reply_to: ID, button_reply: { id: 'y', title: 'Yes' } }
  expect(paramsOf(pressed)).toMatchObject({
    From: 'whatsapp:+2348031234567',
    MessageType: 'button',
    ButtonPayload: 'y',
    ButtonText: 'Yes',
    OriginalRepliedMessageSid: 'SM019a8475000070008000000000000001',
  })
  const place = { type: 'location', location: { latitude: 6.4, longitude: 3.4, name: 'Home' } }
  expect(paramsOf(place)).toMatchObject({ MessageType: 'location', Latitude: '6.4', Longitude: '3.4', Label: 'Home' })
  expect(paramsOf(place)).not.toHaveProperty('Address')
  expect(Object.keys(paramsOf(undefined))).not.toContain('MessageType')
})
