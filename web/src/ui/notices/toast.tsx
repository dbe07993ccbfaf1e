import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ApiError } from '../../api.ts'
import { Described } from '../../command/describe-call.ts'
import type { Toast } from './toast-view.tsx'

const ToastView = lazy(() => import('./toast-view.tsx'))
let onFirst: (() => void) | undefined

async function show(toast: Toast): Promise<void> {
  onFirst?.()
  const { showToast } = await import('./toast-view.tsx')
  showToast(toast)
}

/** Reports a success. Never the only place of a fact. */
export function toastDone(title: string, message?: ReactNode): void {
  void show({ tone: 'ok', title, message })
}

/** Reports an error and its reason, for actions without a form. */
export function toastRefused(title: string, error: unknown): void {
  if (error instanceof Described) return
  const message = error instanceof Error ? error.message : String(error)
  const requestId = error instanceof ApiError ? error.problem.instance : ''
  void show({ tone: 'err', title, message, requestId })
}

/** The container of the messages; loaded with the first one. */
export function Toasts() {
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    onFirst = () => setAsked(true)
    return () => {
      onFirst = undefined
    }
  }, [])
  return asked ? (
    <Suspense>
      <ToastView />
    </Suspense>
  ) : null
}
