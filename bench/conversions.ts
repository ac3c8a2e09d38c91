import { connect, type DatabaseAddress, type Db } from '../src/db/connect.ts'
import { makeCustomer, prepareList, watchMemory, withService, quantile, type Figure } from './contacts.ts'
import { fillContacts } from './contacts-data.ts'
import { until } from './until.ts'

type Customer = Awaited<ReturnType<typeof makeCustomer>>
type Conversion = { id: string; status: string; rows: number; unfit: number }

const ROWS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const CREDIT = 10n ** 12n
const PROBE_EVERY_MS = 50
const QUIET_MS = 15_000
const LIMIT_MS = 3_600_000
/** Text columns as spreadsheets have them; one cell in a thousand does not fit. */
const COLUMNS = [
  { name: 'Balance', type: 'NUMBER', cell: `to_char((random() * 900000)::int, 'FM999,999')` },
  { name: 'Birthday', type: 'DATE', cell: `to_char(date '1960-01-31' + (random() * 15000)::int, 'DD/MM/YYYY')` },
]

/**
 * Text columns of a million contacts become columns of numbers and of dates: preview, conversion, undo, and the deletion
 * of the cells that are no longer needed. Beside it another customer sends, and the owner reads pages of the contacts.
 */
export function benchConversions(): Promise<Figure[]> {
  return withService(async ({ db, url, address }) => {
    const owner = await makeCustomer(db, url)
    const sender = await makeCustomer(db, url, CREDIT)
    await prepareList(owner.call)
    await fillContacts(address, owner.id, ROWS)
    await addColumns(address, owner)
    const beside = (what: string, work: () => Promise<string>) => measure({ owner, sender }, what, work)
    const figures = await beside('nothing else', async () => {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
      return ''
    })
    for (const { name, type } of COLUMNS) {
      const convert = async (dry_run: boolean): Promise<Conversion> => {
        const path = `/lists/contact/columns/${name}/conversions`
        const { id } = await owner.call<Conversion>('POST', path, { type, dry_run, clear_unfit: true })
        return ended(owner, id)
      }
      let converted: Conversion | undefined
      figures.push(
        ...(await beside(`${name} to ${type}: preview`, async () => describe(await convert(true)))),
        ...(await beside(`${name} to ${type}: conversion`, async () => describe((converted = await convert(false))))),
        ...(await beside(`${name} to ${type}: undo`, async () => {
          const started = performance.now()
          await owner.call('POST', `/lists/contact/conversions/${converted?.id}/undo`, {})
          const ms = Math.round(performance.now() - started)
          await until('the cells are deleted', LIMIT_MS, async () => !(await isForgetting(db)), 200)
          return `, answered in ${ms} ms; the rest deletes cells`
        })),
      )
    }
    return figures
  })
}

/** Text columns with a cell in every row, made inside PostgreSQL. */
async function addColumns(address: DatabaseAddress, { id, call }: Customer): Promise<void> {
  const numbers: number[] = []
  const db = connect(address, { connections: 1 })
  try {
    await db`set statement_timeout = 0`
    for (const { name } of COLUMNS) {
      await call('POST', '/lists/contact/columns', { name, type: 'TEXT' })
      const [column] = await db<{ number: number }[]>`
        select number from contact_columns where organisation_id = ${id} and name = ${name}`
      numbers.push(column?.number ?? 0)
    }
    const cells = COLUMNS.map(({ cell }, n) => `case when random() < 0.001 then 'unknown' else ${cell} end as v${n}`)
    const pairs = numbers.map((number, n) => `'${number}', v${n}`).join()
    const lines = numbers.map((number, n) => `select id, ${number}, v${n} from made`).join(' union all ')
    await db.unsafe(`
      with made as materialized (
        select id, ${cells.join()} from contact_rows where organisation_id = '${id}'
      ),
      filled as (
        update contact_rows set cells = cells || jsonb_build_object(${pairs}), keys = keys || jsonb_build_object(${pairs})
        from made where organisation_id = '${id}' and contact_rows.id = made.id
      )
      insert into contact_cells (organisation_id, row_id, number, key) select '${id}', * from (${lines}) line`)
    for (const table of ['contact_rows', 'contact_cells']) await db.unsafe(`vacuum analyze ${table}`)
  } finally {
    await db.end()
  }
}

async function ended({ call }: Customer, id: string): Promise<Conversion> {
  const read = () => call<Conversion>('GET', `/lists/contact/conversions/${id}`)
  const isOver = async () => ['checked', 'done', 'failed'].includes((await read()).status)
  await until('the conversion is over', LIMIT_MS, isOver, 200)
  return read()
}

function describe({ status, rows, unfit }: Conversion): string {
  return `, ${status}: ${rows.toLocaleString('en')} rows, ${unfit.toLocaleString('en')} cells do not fit`
}

async function isForgetting(db: Db): Promise<boolean> {
  const [row] = await db<{ is_so: boolean }[]>`
    select exists (select from jobs where queue = 'contacts:forget-column') as is_so`
  return row?.is_so ?? false
}

/** Does something while the other customer sends and the owner reads, and says how long each of these took. */
async function measure(
  { owner, sender }: { owner: Customer; sender: Customer },
  what: string,
  work: () => Promise<string>,
): Promise<Figure[]> {
  const message = { recipients: '2348031234567', content: 'Hello' }
  const sends = startProbe(() => sender.call('POST', '/sms/send', message))
  const pages = startProbe(() => owner.call('POST', '/lists/contact/rows/query', { limit: 100 }))
  const memory = watchMemory()
  const started = performance.now()
  const said = await work()
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  return [
    { name: `conversions: ${what}`, figure: `${seconds} s${said}; peak memory ${memory()} MB` },
    { name: ' sends meanwhile', figure: await sends() },
    { name: ' pages of the contacts meanwhile', figure: await pages() },
  ]
}

/** Calls one after the other, with a pause; returns how to end it and what it has measured. */
function startProbe(call: () => Promise<unknown>): () => Promise<string> {
  const times: number[] = []
  let is_over = false
  const running = (async () => {
    while (!is_over) {
      const started = performance.now()
      await call()
      times.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
    }
  })()
  return async () => {
    is_over = true
    await running
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part))
    return `p50 ${p50} ms, p99 ${p99} ms, longest ${Math.max(...times).toFixed(0)} ms`
  }
}
