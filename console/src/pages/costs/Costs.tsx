import type { PageProps } from '../../page-props.ts'
import { Lists } from '../prices/Lists.tsx'
import { PriceListView } from '../prices/PriceListView.tsx'
import { CarrierCosts } from './CarrierCosts.tsx'

/** `#/costs` lists the cost lists and the carriers that they are assigned to, `#/costs/<name>` shows one. */
export default function Costs({ rest: [name] }: PageProps) {
  if (name !== undefined) return <PriceListView kind="cost" name={name} />
  return (
    <Lists kind="cost">
      <CarrierCosts />
    </Lists>
  )
}
