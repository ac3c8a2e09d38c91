import { Component, type ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'

/** A page that breaks must not take the others with it. React knows this only as a class. */
export class PageFault extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <Empty title={t('This page could not be shown.')}>
        <p>{t('The service may have been updated while the page was open.')}</p>
        <Button onClick={() => location.reload()}>{t('Reload')}</Button>
      </Empty>
    )
  }
}
