import { pageFormOf } from '../carriers/codec/page-form.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import { STANDARD_PAGES, type PageForm } from '../values/sms/page-form.ts'
import type { CarrierSettings, Settings } from './settings.ts'

/** The routes with what pages texts have on them: those of the first carrier, by which nearly all of them go. */
export function routesWithPages({
  carriers,
  routes,
}: Pick<Settings, 'carriers' | 'routes'>): (RouteSettings & { page_form: PageForm })[] {
  const by_name = new Map(carriers.map((carrier) => [carrier.name, formOf(carrier)]))
  return routes.map((route) => ({ ...route, page_form: by_name.get(carriersOf(route)[0] ?? '') ?? STANDARD_PAGES }))
}

function formOf(carrier: CarrierSettings): PageForm {
  return carrier.kind === 'smpp' ? pageFormOf(carrier.profile) : STANDARD_PAGES
}
