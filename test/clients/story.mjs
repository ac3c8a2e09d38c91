import { Gangan, ConnectionError, InvalidRequestError, NotFoundError } from 'gangan-client'

// The same in every language: what is asked, and what is told on one line of JSON.
const { GANGAN_URL: url, LOSSY_URL, GANGAN_API_KEY: key = '', POSTED = '{}' } = process.env
const gangan = new Gangan({ key, url })
const told = {}

const ids = []
for (let n = 1; n <= 3; n++) {
  ids.push((await gangan.sms.send({ recipients: '2348031234567', content: `No. ${n}`, external_ref: 'story' })).id)
}
const found = []
for await (const { id } of gangan.sms.each({ external_ref: 'story', limit: 2 })) found.push(id)
told.paged = JSON.stringify(found) === JSON.stringify(ids.toReversed())
told.read = (await gangan.sms.get(ids[0])).content

const otp = await gangan.otp.request({ recipient: '2348031234567' })
told.otp = await gangan.otp.verify({ id: otp.id, token: 'wrong1' }).catch((fault) => {
  return fault instanceof NotFoundError ? [fault.status, fault.faults[0].type] : String(fault)
})
told.airtime = (await gangan.airtime.buy({ network: 'MTN', amount: 100, recipient: '2348031234567' })).status
told.lookup = (await gangan.lookup.phone({ phone: '08031234567' })).msisdn

const { row } = await gangan.contacts.rows.create({ columns: { Name: 'Ada', Mobile: '08031234567' } })
const rows = []
for await (const one of gangan.contacts.rows.each({ filters: [{ name: 'Name', operator: 'equal', value: 'ada' }] })) {
  rows.push(one.id)
}
told.rows = rows.includes(row.id)
told.deleted = (await gangan.contacts.rows.delete(row.id)) ?? null
told.csv = (await gangan.contacts.rows.export({})).split('\n')[0].includes('Mobile')

told.refused = await gangan.sms.send({ recipients: 'nobody', content: '' }).catch((fault) => {
  return fault instanceof InvalidRequestError && fault.request_id ? fault.faults.map(({ field }) => field).sort() : []
})

// The first answer to each is lost on its way; the balance tells that it was charged once.
const before = (await gangan.balance.get()).balance
const lossy = new Gangan({ key, url: LOSSY_URL })
const { charge } = (await lossy.sms.send({ recipients: '2348031234567', content: 'Once' })).meta.estimate
told.once = before - (await gangan.balance.get()).balance === charge
const nobody = new Gangan({ key, url: 'http://127.0.0.1:9', tries: 1 })
told.nobody = await nobody.sms.list().catch((fault) => fault instanceof ConnectionError)

const { body, headers, secret } = JSON.parse(POSTED)
told.event = (await gangan.webhooks.verify(body, headers, secret)).type
told.forged = await gangan.webhooks.verify(`${body} `, headers, secret).catch((fault) => fault.name)
console.log(JSON.stringify(told))
