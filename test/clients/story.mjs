import { Gangan, ConnectionError, InvalidRequestError, NotFoundError } from 'gangan-client'

// The same in every language: the requests, and the results on one line of JSON.
const { GANGAN_URL: url, LOSSY_URL, GANGAN_API_KEY: key = '', POSTED = '{}' } = process.env
const gangan = new Gangan({ key, url })
const result = {}

const ids = []
for (let n = 1; n <= 3; n++) {
  ids.push((await gangan.sms.send({ recipients: '2348031234567', content: `No. ${n}`, external_ref: 'story' })).id)
}
const found = []
for await (const { id } of gangan.sms.each({ external_ref: 'story', limit: 2 })) found.push(id)
result.paged = JSON.stringify(found) === JSON.stringify(ids.toReversed())
result.read = (await gangan.sms.get(ids[0])).content

const otp = await gangan.otp.request({ recipient: '2348031234567' })
result.otp = await gangan.otp.verify({ id: otp.id, token: 'wrong1' }).catch((fault) => {
  return fault instanceof NotFoundError ? [fault.status, fault.faults[0].type] : String(fault)
})
result.airtime = (await gangan.airtime.buy({ network: 'MTN', amount: 100, recipient: '2348031234567' })).status
result.lookup = (await gangan.lookup.phone({ phone: '08031234567' })).msisdn

const { row } = await gangan.contacts.rows.create({ columns: { Name: 'Ada', Mobile: '08031234567' } })
const rows = []
for await (const one of gangan.contacts.rows.each({ filters: [{ name: 'Name', operator: 'equal', value: 'ada' }] })) {
  rows.push(one.id)
}
result.rows = rows.includes(row.id)
result.deleted = (await gangan.contacts.rows.delete(row.id)) ?? null
result.csv = (await gangan.contacts.rows.export({})).split('\n')[0].includes('Mobile')

result.refused = await gangan.sms.send({ recipients: 'nobody', content: '' }).catch((fault) => {
  return fault instanceof InvalidRequestError && fault.request_id ? fault.faults.map(({ field }) => field).sort() : []
})

// The first response to each request is lost; the balance shows that it was charged once.
const before = (await gangan.balance.get()).balance
const lossy = new Gangan({ key, url: LOSSY_URL })
const { charge } = (await lossy.sms.send({ recipients: '2348031234567', content: 'Once' })).meta.estimate
result.once = before - (await gangan.balance.get()).balance === charge
const unreachable = new Gangan({ key, url: 'http://127.0.0.1:9', tries: 1 })
result.unreachable = await unreachable.sms.list().catch((fault) => fault instanceof ConnectionError)

const { body, headers, secret } = JSON.parse(POSTED)
result.event = (await gangan.webhooks.verify(body, headers, secret)).type
result.forged = await gangan.webhooks.verify(`${body} `, headers, secret).catch((fault) => fault.name)
console.log(JSON.stringify(result))
