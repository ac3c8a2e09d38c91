import { listPresets, type ShownPreset } from '../../../carriers/http/preset/list.ts'
import { nameIn } from '../../../live-config/check-entry.ts'
import { applyEntries, createEntry, deleteEntry, updateEntry } from '../../../live-config/change.ts'
import { noEntry, readConfigured, readEntry } from '../../../live-config/read.ts'
import {
  ApplyBody,
  ENTRY_KINDS,
  EntryBody,
  EntryDeleteQuery,
  EntryParams,
  EntryUpdateBody,
  MAX_FILE_BYTES,
  type ChangesMade,
  type EntryKind,
} from '../../../live-config/schema.ts'
import { sendTest } from '../../../live-config/send-test.ts'
import { DEFAULT_TEST_TEXT, TestSendBody } from '../../../messaging/dispatch/test-send.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { Refusal } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { actorOf } from '../../route/visitor.ts'
import {
  ChangesAnswer,
  EntriesAnswer,
  EntryAnswer,
  EntryChangedAnswer,
  PresetsAnswer,
  TestSentAnswer,
} from './configuration-schema.ts'

const PATH = '/console/api/configuration'

/** Carriers and routes that operators change while the service runs. */
export function configurationRoutes(deps: HttpDeps): Route[] {
  /** Files of the package do not change while the service runs. */
  let presets: ShownPreset[] | undefined
  return [
    route({
      method: 'GET',
      path: PATH,
      who: 'operator',
      summary: 'List configured carriers and routes, without secrets',
      answer: EntriesAnswer,
      compress: true,
      run: () => readConfigured(deps),
    }),

    route({
      method: 'POST',
      path: PATH,
      who: 'operator',
      summary: 'Replace all carriers and routes of operators, or show what would change',
      body: ApplyBody,
      body_limit: MAX_FILE_BYTES,
      answer: ChangesAnswer,
      run: (request) => {
        const { carriers, routes, dry_run } = request.body
        return applyEntries(deps, actorOf(request), { carriers, routes }, dry_run)
      },
    }),

    route({
      method: 'GET',
      path: `${PATH}/presets`,
      who: 'operator',
      summary: 'List the presets of HTTP vendors, with the credentials and options of each',
      answer: PresetsAnswer,
      compress: true,
      run: () => ({ presets: (presets ??= listPresets()) }),
    }),

    ...ENTRY_KINDS.flatMap((kind) => entryRoutes(deps, kind)),

    route({
      method: 'POST',
      path: '/console/api/carriers/:name/test',
      who: 'operator',
      summary: 'Send a test message through a carrier',
      params: EntryParams,
      body: TestSendBody,
      answer: TestSentAnswer,
      run: async (request) => {
        const { name } = request.params
        const carrier = (await deps.carrierStates()).find((one) => one.name === name)
        if (!carrier) throw noEntry('carrier', name)
        const { sender_id, text = DEFAULT_TEST_TEXT } = request.body
        const recipient = cleanPhone(request.body.recipient, dialPlan(deps.country))
        if (recipient === undefined) {
          const message = `${request.body.recipient} is no phone number.`
          throw new Refusal('invalid_request', message, [{ field: 'recipient', message, type: 'phone_invalid' }])
        }
        return { test: await sendTest(deps, actorOf(request), carrier, { recipient, sender_id, text }) }
      },
    }),
  ]
}

function entryRoutes(deps: HttpDeps, kind: EntryKind): Route[] {
  const all = `${PATH}/${kind}s` as const
  const one = `${all}/:name` as const
  const answer = async (name: string, { needs_restart, ends_sandbox }: ChangesMade) => ({
    entry: await readEntry(deps, kind, name),
    needs_restart,
    ends_sandbox,
  })
  return [
    route({
      method: 'POST',
      path: all,
      who: 'operator',
      summary: `Create a ${kind}`,
      body: EntryBody,
      answer: EntryChangedAnswer,
      run: async (request) => {
        const { settings } = request.body
        const made = await createEntry(deps, actorOf(request), kind, settings)
        return answer(nameIn(settings, ''), made)
      },
    }),

    route({
      method: 'GET',
      path: one,
      who: 'operator',
      summary: `Read the configuration of a ${kind}, without secrets`,
      params: EntryParams,
      answer: EntryAnswer,
      run: async ({ params }) => ({ entry: await readEntry(deps, kind, params.name) }),
    }),

    route({
      method: 'PATCH',
      path: one,
      who: 'operator',
      summary: `Replace the settings of a ${kind}`,
      params: EntryParams,
      body: EntryUpdateBody,
      answer: EntryChangedAnswer,
      run: async (request) => {
        const { name } = request.params
        return answer(name, await updateEntry(deps, actorOf(request), kind, name, request.body))
      },
    }),

    route({
      method: 'DELETE',
      path: one,
      who: 'operator',
      summary: `Delete a ${kind}`,
      params: EntryParams,
      query: EntryDeleteQuery,
      answer: ChangesAnswer,
      run: (request) => deleteEntry(deps, actorOf(request), kind, request.params.name, request.query.version),
    }),
  ]
}
