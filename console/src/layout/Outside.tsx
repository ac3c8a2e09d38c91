import { useEffect, type ReactNode } from 'react'
import { Languages } from './Languages.tsx'

/** The frame of pages for users who are not logged in. */
export function Outside({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gangan`
  }, [title])
  return (
    <main className="outside">
      <Languages />
      <div className="outside-box">
        <p className="brand">
          <img src="/console/drum.svg" alt="" width="28" height="28" />
          Gangan
        </p>
        <div>
          <h1>{title}</h1>
          <p className="soft lead">{lead}</p>
        </div>
        {children}
      </div>
    </main>
  )
}
