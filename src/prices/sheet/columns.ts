/** What a column of a rate sheet holds. */
export const FIELDS = [
  'price',
  'prefix',
  'country',
  'operator',
  'mccmnc',
  'mcc',
  'mnc',
  'channel',
  'class',
  'effective',
  'currency',
] as const
export type Field = (typeof FIELDS)[number]

export type Columns = Partial<Record<Field, number>>

/** Headers as suppliers write them, in lower case and without blanks or signs; the first that a file has counts. */
const NAMES: Record<Field, readonly string[]> = {
  price: [
    'price',
    'rate',
    'newprice',
    'newrate',
    'pricesubmit',
    'pricepersms',
    'pricepermessage',
    'priceperpage',
    'cost',
    'eur',
    'usd',
    'ngn',
  ],
  prefix: [
    'prefix',
    'prefixes',
    'dialcode',
    'dialcodes',
    'dialingcode',
    'destinationcode',
    'areacode',
    'code',
    'breakout',
  ],
  country: ['country', 'countryname', 'countrycode', 'iso', 'iso2', 'countryiso', 'destination'],
  operator: ['operator', 'operatorname', 'network', 'networkname', 'carrier', 'mobilenetwork'],
  mccmnc: ['mccmnc', 'imsi', 'plmn', 'networkcode', 'hni', 'numericcode'],
  mcc: ['mcc'],
  mnc: ['mnc', 'mncs'],
  channel: ['channel'],
  class: ['class', 'routeclass', 'traffictype'],
  effective: ['effective', 'effectivedate', 'effectivefrom', 'validfrom', 'startdate', 'datefrom', 'from', 'date'],
  currency: ['currency', 'cur', 'ccy'],
}

/** The column of each field: as `mapping` says, `price=Rate EUR,mccmnc=Network ID`, else by the name of its header. */
export function readColumns(headers: readonly string[], mapping = ''): { columns: Columns; faults: string[] } {
  const columns: Columns = {}
  const faults: string[] = []
  const keys = headers.map(keyOf)
  for (const field of FIELDS) {
    const at = NAMES[field].map((name) => keys.indexOf(name)).find((found) => found !== -1)
    if (at !== undefined) columns[field] = at
  }
  for (const pair of mapping.split(',').filter((one) => one.trim() !== '')) {
    const [name = '', header = ''] = pair.split(/=(.*)/s).map((one) => one.trim())
    const field = FIELDS.find((one) => one === name.toLowerCase())
    const at = /^#\d{1,4}$/.test(header) ? Number(header.slice(1)) - 1 : keys.indexOf(keyOf(header))
    if (!field) faults.push(`${JSON.stringify(name.slice(0, 40))} is none of ${FIELDS.join(', ')}.`)
    else if (header === '') delete columns[field]
    else if (at === -1 || at >= headers.length)
      faults.push(`There is no column ${JSON.stringify(header.slice(0, 60))}.`)
    else columns[field] = at
  }
  if (columns.price === undefined && faults.length === 0) {
    faults.push('No column is a price: name it, such as price=Rate.')
  }
  return { columns, faults }
}

function keyOf(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
