import { randomBytes } from 'node:crypto'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import { MAX_HOOKS, type Hook, type HookBody, type HookKind, type HookWithSecret } from './schema.ts'
import { deleteHook, findHook, insertHook, listHooks, lockHooks, type HookRow } from './store.ts'

type Deps = { db: Db; secret_seal: SecretSeal }

const NAME = /^[a-z]+-[0-9a-z]{16}$/

/** Creates a hook with an unguessable name. Its secret is returned once. */
export async function addHook(
  { db, secret_seal }: Deps,
  organisation_id: string,
  body: Partial<HookBody>,
  shape_faults: readonly Fault[],
): Promise<HookWithSecret> {
  refuseIfFaulty(shape_faults)
  const { kind = 'supabase', secret = newSecret(kind) } = body
  const name = `${kind}-${newEnding()}`
  const sealed = secret_seal.close(secret, placeOf(name))
  const row = await transaction(db, async (tx) => {
    await lockHooks(tx, organisation_id)
    if ((await listHooks(tx, organisation_id)).length >= MAX_HOOKS) {
      const message = `An organisation has at most ${MAX_HOOKS} hooks.`
      refuseIfFaulty([{ field: 'hooks', message, type: 'less_than_equal' }])
    }
    return insertHook(tx, { name, organisation_id, kind, secret: sealed })
  })
  return { ...shownHook(row), secret }
}

export async function findHooks({ db }: { db: Db }, organisation_id: string): Promise<Hook[]> {
  return (await listHooks(db, organisation_id)).map(shownHook)
}

export async function removeHook({ db }: { db: Db }, organisation_id: string, name: string): Promise<void> {
  if (!NAME.test(name) || !(await deleteHook(db, organisation_id, name))) throw unknownHook()
}

export type OpenedHook = { organisation_id: string; kind: HookKind; secret: string }

/** The hook of that name with its secret; undefined if the secret was encrypted under another pepper. */
export async function openHook({ db, secret_seal }: Deps, name: string): Promise<OpenedHook | undefined> {
  const row = NAME.test(name) ? await findHook(db, name) : undefined
  if (!row) return undefined
  const secret = secret_seal.open(row.secret, placeOf(name))
  return secret === undefined ? undefined : { organisation_id: row.organisation_id, kind: row.kind, secret }
}

function shownHook({ name, kind, created_datetime }: HookRow): Hook {
  return { name, kind, created_datetime }
}

/** Supabase requires the Standard Webhooks format. */
function newSecret(kind: HookKind): string {
  if (kind === 'supabase') return `v1,whsec_${randomBytes(32).toString('base64')}`
  return randomBytes(24).toString('base64url')
}

function newEnding(): string {
  return [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** 32 characters, so that bytes map to them uniformly. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export function placeOf(name: string): string {
  return `hook ${name}`
}

function unknownHook(): Refusal {
  return new Refusal('not_found', 'There is no such hook.')
}
