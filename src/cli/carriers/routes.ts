import { findPauses } from '../../messaging/pauses/pause.ts'
import { carriersOf } from '../../messaging/settings.ts'
import { withConfigured } from '../configured.ts'
import { form, type Command } from '../terminal/command.ts'
import { rows, type Result } from '../terminal/result.ts'
import { entryForms } from './entries.ts'
import { pauseForms } from './pauses.ts'

const LIST = 'list routes with their carriers, and which of them are paused'

export const routes: Command = [
  form('', LIST, {}, list),
  form('list', LIST, {}, list),
  ...entryForms('route'),
  ...pauseForms('route'),
]

async function list(): Promise<Result> {
  const { config, pauses } = await withConfigured(async (db, effective) => ({
    config: effective,
    pauses: await findPauses({ db }),
  }))
  const shown = config.settings.routes.map((route) => ({
    ...route,
    pause: pauses.find(({ kind, name }) => kind === 'route' && name === route.name),
  }))
  return rows(shown, {
    route: (one) => one.name,
    channel: (one) => one.channel,
    to: (one) => [one.prefix, one.country, one.operator].filter(Boolean).join(' ') || '*',
    class: (one) => one.class,
    carriers: (one) => carriersOf(one).join(', '),
    rate: (one) => one.rate_per_s,
    state: (one) => one.pause?.mode ?? 'active',
    until: (one) => one.pause?.until,
    reason: (one) => one.pause?.reason,
  })
}
