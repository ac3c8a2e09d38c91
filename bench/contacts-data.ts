import { connect, type DatabaseAddress } from '../src/db/connect.ts'

/** People with names, mails and numbers as a list in Nigeria has them, made inside PostgreSQL. */
export async function fillContacts(address: DatabaseAddress, organisation_id: string, rows: number): Promise<void> {
  const db = connect(address, { connections: 1 })
  const indexes = await db<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'contact_cells'`
  try {
    await db`set statement_timeout = 0`
    await db`set maintenance_work_mem = '512MB'`
    for (const { name } of indexes) await db.unsafe(`drop index ${name}`)
    await db.unsafe(PEOPLE.replace('$1', `'${organisation_id}'`).replace('$2', String(rows)))
    await db`
      insert into contact_cells (organisation_id, number, row_id, key)
      select organisation_id, line.key::smallint, id, line.value
      from contact_rows, jsonb_each_text(keys) line
      where organisation_id = ${organisation_id}`
    for (const { definition } of indexes) await db.unsafe(definition)
    await db`vacuum analyze contact_rows`
    await db`vacuum analyze contact_cells`
  } finally {
    await db.end()
  }
}

const FIRST =
  'Ada,Chidi,Ngozi,Emeka,Tunde,Bola,Funke,Segun,Yemi,Kemi,Amina,Musa,Ibrahim,Fatima,Zainab,Sadiq,Ifeoma,Uche,Obinna,' +
  'Chioma,Adaeze,Olumide,Folake,Babatunde,Ayodele,Temitope,Halima,Yusuf,Grace,Blessing,Emmanuel,Samuel,David,Mary'
const LAST =
  'Okafor,Adeyemi,Balogun,Eze,Nwosu,Ibrahim,Mohammed,Bello,Okonkwo,Adebayo,Ogunleye,Akinola,Chukwu,Obi,Lawal,' +
  'Abubakar,Usman,Danjuma,Ojo,Afolabi,Oyelaran,Onyeka,Nnamdi,Igwe,Madueke,Suleiman,Garba,Aliyu,Ekwueme,Achebe'

/** Every third has a second surname, a tenth has no mail, and all have a name. */
const PEOPLE = `
  with person as materialized (
    select
      (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
        || substr(md5(n::text), 4, 15))::uuid as id,
      (string_to_array('${FIRST}', ','))[1 + floor(random() * 34)::int] || ' '
        || (string_to_array('${LAST}', ','))[1 + floor(random() * 30)::int]
        || case when random() < 0.3 then '-' || chr(65 + floor(random() * 26)::int) || substr(md5(random()::text), 1, 5)
          else '' end as name,
      case when random() < 0.9 then substr(md5(random()::text), 1, 8) || '@'
        || (array['gmail.com', 'yahoo.com', 'outlook.com', 'mail.ng'])[1 + floor(random() * 4)::int] end as mail,
      (array['803', '805', '806', '807', '810', '703', '706', '813'])[1 + floor(random() * 8)::int]
        || lpad(floor(random() * 10000000)::int::text, 7, '0') as phone,
      floor(random() * 100000)::int as spent,
      (array['Lagos', 'Abuja', 'Kano', 'Ibadan', 'Enugu', 'Jos'])[1 + floor(random() * 6)::int] as city,
      date '2015-01-01' + floor(random() * 4000)::int as joined
    from generate_series(1, $2::int) n
  )
  insert into contact_rows (organisation_id, id, cells, keys)
  select $1::uuid, id,
    jsonb_strip_nulls(jsonb_build_object('1', name, '2', mail, '3', '+234' || phone, '4', spent::text, '5', city,
      '6', joined::text)),
    jsonb_strip_nulls(jsonb_build_object('1', lower(name), '2', mail, '3', '234' || phone,
      '4', case when spent = 0 then '1'
        else '2' || (5000 + length(spent::text))::text || rtrim(spent::text, '0') end,
      '5', lower(city), '6', joined::text || 'T00:00:00.000000000'))
  from person`
