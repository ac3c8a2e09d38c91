import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Session } from './api-types.ts'
import { ApiError, call, onLoggedOut, setCredentials } from './api.ts'
import { forgetDrafts } from './draft.ts'
import { forgetOutcomes } from './outcomes.ts'
import { Layout } from './layout/Layout.tsx'
import { forgetSession, hadSession, isAnotherUser, onOtherUser, rememberPage, returnToPage } from './returning.ts'
import { go, readRoute, useRoute } from './router.tsx'
import { findViewed, SessionContext, type SessionState } from './session.ts'
import { speakAs } from './text/language.ts'
import { t } from './text/text.ts'
import { saveAll } from './unsaved.ts'
import { Empty, LoadingOutside, Trouble } from './ui/Empty.tsx'

const Login = lazy(() => import('./pages/login/Login.tsx'))
const Welcome = lazy(() => import('./pages/welcome/Welcome.tsx'))

const CHOSEN = 'gangan.organisation'
const SESSION = ['session']

/** Shows the login or the console, depending on the session. */
export function App() {
  const client = useQueryClient()
  const { segments, query } = useRoute()
  const [chosen, setChosen] = useState(readChosen)
  const found = useQuery<Session | null, ApiError>({ queryKey: SESSION, queryFn: readSession, staleTime: Infinity })
  const session = found.data
  useEffect(() => {
    if (session) {
      returnToPage(session.user.id)
      speakAs(session.user.language)
    } else if (session === null) rememberPage()
  }, [session])

  useEffect(() => onOtherUser(session?.user.id), [session?.user.id])

  const state = useMemo<SessionState | null>(() => {
    const organisation = session && findViewed(session.organisations, chosen)
    if (!organisation) return null
    setCredentials({ csrf_token: session.csrf_token, organisation_id: organisation.id })
    onLoggedOut(() => client.setQueryData(SESSION, null))
    return {
      session,
      organisation,
      operator: session.user.role === 'operator',
      right: (area) => session.rights[area] ?? 'none',
      sandbox: session.sandbox || organisation.mode === 'test',
      choose: (organisation_id) => {
        if (organisation_id === organisation.id) return
        localStorage.setItem(CHOSEN, organisation_id)
        setChosen(organisation_id)
        // A campaign, a message or a filter of one organisation is not one of another.
        go(`/${readRoute(location.hash).segments[0] ?? ''}`)
      },
      enter: (next) => client.setQueryData(SESSION, next),
      leave: async () => {
        await saveAll()
        await call('POST', '/console/api/logout')
        forgetDrafts()
        forgetSession()
        location.assign('/console/')
      },
    }
  }, [session, chosen, client])

  if (found.isPending) return <LoadingOutside />
  if (found.error) return <Trouble error={found.error} />
  function enter(next: Session) {
    if (isAnotherUser(next.user.id)) go('/', { replace: true })
    // What was read with the session before belongs to its user.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    forgetOutcomes()
    client.setQueryData(SESSION, next)
  }
  const welcome = segments[0] === 'welcome' ? query.token : undefined
  if (welcome !== undefined || !session) {
    return (
      <Suspense fallback={<LoadingOutside />}>
        {welcome === undefined ? (
          <Login ended={hadSession()} onEnter={enter} />
        ) : (
          <Welcome token={welcome} onEnter={enter} />
        )}
      </Suspense>
    )
  }
  if (!state)
    return <Empty title={t('There is no organisation yet.')}>{t('Create one: gangan organisations create.')}</Empty>
  return (
    <SessionContext value={state}>
      <Layout />
    </SessionContext>
  )
}

/** The organisation that this browser showed last. The service lists it with the session, however many there are. */
function readChosen(): string | null {
  const chosen = localStorage.getItem(CHOSEN)
  setCredentials({ organisation_id: chosen ?? undefined })
  return chosen
}

/** Null if the user is not logged in, which is a valid response. */
async function readSession(): Promise<Session | null> {
  try {
    return await call('GET', '/console/api/session')
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 401) return null
    throw fault
  }
}
