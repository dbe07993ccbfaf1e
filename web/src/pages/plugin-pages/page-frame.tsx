import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { spokenLanguage } from '../../session/language.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { onLook, presentLook } from './look.ts'
import { isOpenable } from './openable.ts'
import styles from './page-frame.module.css'
import { type Outcome, serveFrame } from './serve-frame.ts'
import { titleOf } from './use-pages.ts'
import { t } from './words.ts'

const START_MS = 15_000

interface FrameProps {
  page: PluginPage
  /** The server on whose page it is shown. */
  server?: { readonly id: string; readonly name: string }
}

/** Forwards a question to the plugin; the session identifies the caller, and the path the server. */
async function ask(
  { page, server }: FrameProps,
  method: string,
  payload: unknown,
): Promise<Outcome> {
  const { plugin, page: id } = page
  const params = { plugin, page: id }
  const body = { method, payload }
  try {
    const { answer, refusal } = server
      ? await api('POST /api/servers/{id}/plugin-pages/{plugin}/{page}/questions', {
          params: { id: server.id, ...params },
          body,
        })
      : await api('POST /api/plugin-pages/{plugin}/{page}/questions', { params, body })
    return refusal ? { error: refusal } : { answer }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.problem.code, message: error.problem.detail } }
  }
}

/**
 * A page of a plugin, in a frame without an origin: it can reach neither the panel, its cookies and
 * its API nor the network, and gets only what `serveFrame` answers.
 */
export function PageFrame(props: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const router = useRouter()
  const [height, setHeight] = useState(0)
  const [state, setState] = useState<'starting' | 'silent' | 'shown' | 'stopped'>('starting')
  const [attempt, setAttempt] = useState(0)
  const present = useRef(props)
  present.current = props
  const title = titleOf(props.page)
  const isThere = state !== 'stopped'

  // A retry creates a new frame.
  useEffect(() => {
    if (!frame.current || !isThere) return
    const served = serveFrame(frame.current, {
      context: () => ({
        language: spokenLanguage(),
        ...presentLook(),
        server: present.current.server ?? null,
      }),
      call: (method, payload) => ask(present.current, method, payload),
      navigate(path) {
        if (!isOpenable(router, path)) return false
        void router.navigate({ href: path })
        return true
      },
      setHeight,
      toast(text, tone) {
        if (tone === 'ok') toastDone(title, text)
        else toastRefused(title, new Error(text))
      },
      started: () => setState('shown'),
      tooMuch: () => setState('stopped'),
    })
    const unseen = onLook(served.tell)
    const timer = setTimeout(
      () => setState((now) => (now === 'starting' ? 'silent' : now)),
      START_MS,
    )
    return () => {
      clearTimeout(timer)
      unseen()
      served.end()
    }
  }, [router, title, attempt, isThere])

  const again = (
    <Button
      onClick={() => {
        setHeight(0)
        setState('starting')
        setAttempt(attempt + 1)
      }}
    >
      {t.again}
    </Button>
  )
  const isShown = state === 'shown' && height > 0
  return (
    <>
      {state === 'stopped' ? (
        <Note tone="err" role="alert" title={t.stopped} action={again}>
          {t.stoppedText}
        </Note>
      ) : null}
      {state === 'silent' ? (
        <Note tone="warn" role="status" title={t.silent} action={again}>
          {t.silentText}
        </Note>
      ) : null}
      {isThere ? (
        <div className={styles.place}>
          {isShown || state === 'silent' ? null : <Skeletons />}
          <iframe
            key={attempt}
            ref={frame}
            className={styles.frame}
            title={title}
            sandbox="allow-scripts"
            allow=""
            referrerPolicy="no-referrer"
            src={props.page.frame}
            data-shown={isShown || undefined}
            style={{ height: isShown ? height : 0 }}
          />
        </div>
      ) : null}
    </>
  )
}
