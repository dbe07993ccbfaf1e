import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../../api.ts'
import { Described } from '../../command/describe-call.ts'
import { loadPart } from '../../load-code.ts'
import { Button } from '../buttons/button.tsx'
import { onPartLost } from '../page/part.tsx'
import { t as pageWords } from '../page/words.ts'
import styles from './note.module.css'
import { Note } from './note.tsx'
import type { Toast } from './toast-view.tsx'
import { t } from './words.ts'

interface Host {
  readonly mount: (View: ComponentType) => void
  /** Shows it without the view, which could not be loaded. */
  readonly showPlain: (toast: Toast) => void
}

let host: Host | undefined

/** Shows a message of any kind. */
export async function show(toast: Toast): Promise<void> {
  try {
    const { View, showToast } = await loadPart(() =>
      import('./toast-view.tsx').then((view) => ({
        View: view.default,
        showToast: view.showToast,
      })),
    )
    host?.mount(View)
    showToast(toast)
  } catch {
    host?.showPlain(toast)
  }
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
  const [View, setView] = useState<ComponentType>()
  const [plain, setPlain] = useState<Toast>()
  useEffect(() => {
    host = { mount: (loaded) => setView(() => loaded), showPlain: setPlain }
    const stop = onPartLost(() => toastRefused(pageWords.partLost, new Error(t.checkConnection)))
    return () => {
      host = undefined
      stop()
    }
  }, [])
  return (
    <>
      {View ? <View /> : null}
      {plain ? (
        <div className={styles.plainToast}>
          <Note
            tone={plain.tone}
            role="alert"
            title={plain.title}
            action={
              <Button size="small" onClick={() => setPlain(undefined)}>
                {t.close}
              </Button>
            }
          >
            {plain.message}
          </Note>
        </div>
      ) : null}
    </>
  )
}
