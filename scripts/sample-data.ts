type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** Fills a new sandbox with a realistic day, through the API only. */
export async function sampleData(url: string, key: string): Promise<void> {
  const call: Call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  await contacts(call)
  await administration(call)
  await messages(call)
  await passwords(call)
  await airtime(call)
  await replies(call)
}

const PEOPLE = [
  ['Ada Obi', 'ada@example.com', '2348031234567'],
  ['Bola Adeyemi', 'bola@example.com', '2348051234567'],
  ['Chidi Eze', 'chidi@example.com', '2348061112233'],
  ['Dayo Bello', 'dayo@example.com', '2348075550123'],
  ['Efe Okoro', 'efe@example.com', '2348095550101'],
  ['Funmi Ojo', 'funmi@example.com', '2348103334455'],
  ['Garba Musa', 'garba@example.com', '2348127778899'],
  ['Halima Sani', 'halima@example.com', '2348144440000'],
] as const

async function contacts(call: Call): Promise<void> {
  for (const [Name, Email, Mobile] of PEOPLE) {
    await call('POST', '/lists/contact/rows', { columns: { Name, Email, Mobile } })
  }
  await call('POST', '/lists/contact/smartlists', {
    name: 'With an a',
    filters: [{ name: 'Name', operator: 'contain', value: 'a' }],
  })
}

/** Templates, senders, opt-outs and an endpoint without a server. */
async function administration(call: Call): Promise<void> {
  await call('POST', '/templates', {
    name: 'Order shipped',
    content: 'Hello {{name|there}}, your order {{order}} is on its way.',
  })
  await call('POST', '/templates', { name: 'Appointment', content: 'See you on {{day}} at {{time}}, {{name}}.' })
  await call('POST', '/senders', { sender_id: 'Market', class: 'promotional', note: 'News of the market' })
  await call('POST', '/senders', { sender_id: 'Clinic', note: 'Appointments' })
  await call('POST', '/optouts', { recipients: '2348165550199, 2348175550142' })
  await call('POST', '/webhooks', {
    url: 'http://127.0.0.1:9/events',
    events: ['text.*'],
    description: 'Reports for the shop',
  })
}

const ORDERS = 24

async function messages(call: Call): Promise<void> {
  for (let order = 1; order <= ORDERS; order++) {
    const [name, , number] = PEOPLE[order % PEOPLE.length] ?? PEOPLE[0]
    await call('POST', '/sms/send', {
      recipients: number,
      content: `Dear ${name}, your order ${1_040 + order} is on its way. Follow it: https://example.com/o/${1_040 + order}`,
      external_ref: `order-${1_040 + order}`,
    })
  }
  await call('POST', '/sms/send', {
    recipients: [...PEOPLE.map(([, , number]) => number), '2348000000001', '2348000000003', '2348000000005'],
    content: 'The market opens at eight tomorrow. Bring the drum. Reply STOP to end these messages.',
    external_ref: 'market-day',
  })
  await call('POST', '/sms/send', {
    recipients: PEOPLE[0][2],
    sender_id: 'Clinic',
    content: 'Your appointment is on Monday at 10:30.',
    // No server listens there: its callbacks have failed attempts to show.
    callback: 'http://127.0.0.1:9/reports',
  })
}

/** The conversation that is answered. */
export const OPEN_CONVERSATION = PEOPLE[1][2]

async function replies(call: Call): Promise<void> {
  await call('POST', '/sandbox/reply', { from: OPEN_CONVERSATION, to: 'Gangan', text: 'Can you deliver after five?' })
  await call('POST', `/conversations/${OPEN_CONVERSATION}/messages`, { content: 'Yes: between five and six.' })
  await call('POST', '/sandbox/reply', { from: OPEN_CONVERSATION, to: 'Gangan', text: 'Thank you, I am at home.' })
  await call('POST', '/sandbox/reply', { from: PEOPLE[6][2], to: 'Gangan', text: 'STOP' })
}

async function passwords(call: Call): Promise<void> {
  for (const [, , recipient] of PEOPLE) {
    const { id } = await call('POST', '/otp/request_token', { recipient, token: '482913' })
    if (recipient !== PEOPLE[0][2]) await call('POST', '/otp/verify', { id, token: '482913' })
  }
  await call('POST', '/otp/request_token', { recipient: PEOPLE[1][2], length: 6 })
}

async function airtime(call: Call): Promise<void> {
  const networks = ['MTN', 'Glo', 'Airtel', '9mobile'] as const
  for (const [index, [, , recipient]] of PEOPLE.slice(0, 4).entries()) {
    await call('POST', '/airtime/buy', {
      network: networks[index],
      amount: 100 * (index + 1),
      recipient,
      external_ref: `topup-${index + 1}`,
    })
  }
  await call('POST', '/airtime/buy', { network: 'MTN', amount: 500, recipient: '2348000000011' })
  await call('POST', '/airtime/buy', { network: 'MTN', amount: 250, recipient: '2348000000013' })
}

/** What the carrier charges for the messages of the sample data, by commands. In effect within two seconds. */
export async function sampleCosts(gangan: (...args: string[]) => Promise<string>): Promise<void> {
  await gangan('costs', 'create', 'direct')
  for (const [network, cost] of [
    ['621-30', '2.75'],
    ['621-20', '2.90'],
    ['621-50', '2.60'],
    ['621-60', '3.10'],
  ] as const) {
    await gangan('costs', 'set', 'direct', '--network', network, '--price', cost)
  }
  await gangan('costs', 'assign', 'simulator', 'direct')
}

/** Two customers of a reseller, one with prices of its own, by commands. */
export async function sampleCustomers(gangan: (...args: string[]) => Promise<string>): Promise<void> {
  const kano = (await gangan('organisations', 'create', 'Kano Foods', '--credit', '250000')).trim()
  await gangan('organisations', 'create', 'Lagos Couriers', '--credit', '80000')
  await gangan('organisations', 'limit', kano, '--credit', '100000')
  await gangan('prices', 'create', 'wholesale')
  for (const [network, price] of [
    ['621-30', '3.10'],
    ['621-20', '3.25'],
    ['621-50', '3.05'],
    ['621-60', '3.40'],
  ] as const) {
    await gangan('prices', 'set', 'wholesale', '--network', network, '--price', price)
  }
  await gangan('prices', 'set', 'wholesale', '--country', 'GH', '--price', '9.80')
  await gangan('prices', 'set', 'wholesale', '--prefix', '44', '--price', '21.50')
  await gangan('prices', 'assign', kano, 'wholesale')
}
