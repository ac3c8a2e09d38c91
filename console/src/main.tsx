import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme.css'
import './ui/ui.css'
import './layout/layout.css'
import { ApiError } from './api.ts'
import { App } from './App.tsx'
import { ToastProvider } from './ui/Toast.tsx'

const MOST_RETRIES = 3

/** A refusal stays one however often it is asked again; only a service that is away is worth another try. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (tries, fault) =>
        tries < MOST_RETRIES && fault instanceof ApiError && (fault.status === 0 || fault.status >= 500),
      staleTime: 2_000,
    },
  },
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <App />
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
