import { Page } from '../../ui/Page.tsx'

export default function Start() {
  return <Page title="Start">…</Page>
}
