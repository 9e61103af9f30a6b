import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ProblemError } from '@plumbline/client'
import { App } from './app'
import { SessionGate } from './session'
import './ui/base.css'

const isFinal = (error: unknown): boolean => error instanceof ProblemError && error.problem.status < 500

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: (failures, error) => !isFinal(error) && failures < 3 } },
})

const appElement = document.getElementById('app')
if (appElement)
  createRoot(appElement).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionGate>
          <App />
        </SessionGate>
      </QueryClientProvider>
    </StrictMode>,
  )
