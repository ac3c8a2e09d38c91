import { expect, test } from 'vitest'
import type { CarrierReport } from '../../carriers/message-carrier.ts'
import { makeReceiveReport } from './receive-report.ts'

const reportOf = (carrier: string, id: string): CarrierReport => ({
  carrier,
  carrier_message_id: id,
  status: 'delivered',
  code: '000',
  description: '',
})

test('reports of all carriers that arrive together are stored together', async () => {
  const stored: string[][] = []
  const takeReport = makeReceiveReport(async (reports) => {
    stored.push(reports.map(({ carrier, carrier_message_id }) => `${carrier} ${carrier_message_id}`))
  })
  await Promise.all([takeReport(reportOf('a', '1')), takeReport(reportOf('b', '1')), takeReport(reportOf('a', '2'))])
  expect(stored).toEqual([['a 1', 'b 1', 'a 2']])
})

test('a report that cannot be stored fails alone', async () => {
  const takeReport = makeReceiveReport(async (reports) => {
    if (reports.some(({ carrier }) => carrier === 'b')) throw new Error('not this one')
  })
  const taken = await Promise.allSettled([takeReport(reportOf('a', '1')), takeReport(reportOf('b', '1'))])
  expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})
