import { useEffect, useRef, useState } from 'react'
import styles from './email.module.css'
import { t } from './words.ts'

const LEAST_HEIGHT = 220

/**
 * A mail's HTML in a sandboxed frame: it has no origin, loads nothing and runs no script except the
 * one that inserts the HTML and reports its height.
 */
export function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [height, setHeight] = useState(LEAST_HEIGHT)
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return
      if (data?.ready === true) setReady(true)
      if (typeof data?.height === 'number')
        setHeight(Math.min(4_000, Math.max(LEAST_HEIGHT, data.height)))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  useEffect(() => {
    // The frame has no origin that could be named as the target; its URL shows that it is ours.
    if (ready) frame.current?.contentWindow?.postMessage({ html }, '*')
  }, [ready, html])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={t.htmlFrame}
      sandbox="allow-scripts"
      src="/frames/mail"
      style={{ height }}
    />
  )
}
