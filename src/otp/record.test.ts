import { expect, test } from 'vitest'
import { otpRecord, sentAnswer } from './record.ts'
import { STATUS } from './schema.ts'

const row = { id: 'an id', recipient: '2348031234567', status: STATUS.SENT, created_datetime: 'then' }

test.each(Object.entries(STATUS))('%s is returned as a number and a name', (status_desc, status) => {
  expect(otpRecord({ ...row, status, updated_datetime: 'now' })).toEqual({
    ...row,
    status,
    status_desc,
    updated_datetime: 'now',
  })
})

test('an unchanged OTP has no updated_datetime', () => {
  expect(otpRecord({ ...row, updated_datetime: null })).not.toHaveProperty('updated_datetime')
})

test('the answer to a request is the record of an OTP that is SENT', () => {
  const facts = { created_datetime: 'then', balance_before: 8, balance_after: 4 }
  expect(JSON.parse(sentAnswer(row.id, row.recipient)(facts))).toEqual(otpRecord({ ...row, updated_datetime: null }))
})
