import type { PageProps } from '../../page-props.ts'
import { Lists } from './Lists.tsx'
import { PriceListView } from './PriceListView.tsx'

/** `#/prices` lists the price lists, `#/prices/<name>` shows one. */
export default function Prices({ rest: [name] }: PageProps) {
  return name === undefined ? <Lists kind="price" /> : <PriceListView kind="price" name={name} />
}
