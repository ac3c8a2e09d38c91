import { expect, test } from 'vitest'
import { networkOf } from './network-codes.ts'
import { readPrefixTable } from './prefix-table.ts'

test.each([
  ['621', '30', { country: 'NG', operator: 'MTN' }],
  ['639', '02', { country: 'KE', operator: 'Safaricom' }],
  ['639', '2', { country: 'KE', operator: 'Safaricom' }],
  ['310', '260', { country: 'US', operator: undefined }],
  ['621', '99', { country: 'NG', operator: undefined }],
  ['001', '01', undefined],
])('%s-%s is the network of a country', (mcc, mnc, network) => {
  expect(networkOf(mcc, mnc)).toEqual(network)
})

test('every operator with a code is spelled as in the prefix table', () => {
  const { operators } = readPrefixTable()
  const unknown = Array.from({ length: 800 }, (_, mcc) => String(mcc)).flatMap((mcc) =>
    Array.from({ length: 100 }, (_, mnc) => networkOf(mcc, String(mnc))).flatMap((network) =>
      network?.operator === undefined || operators.get(network.country)?.has(network.operator)
        ? []
        : [`${mcc} ${network.country} ${network.operator}`],
    ),
  )
  expect(unknown).toEqual([])
})
