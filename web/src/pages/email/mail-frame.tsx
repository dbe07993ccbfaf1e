import { useEffect, useRef, useState } from 'react'
import styles from './email.module.css'

const LEAST_HEIGHT = 220

/**
 * The HTML of a mail in a frame without any rights: it has no origin, and its page lets nothing be
 * loaded and no program run but the one that puts the HTML in and tells its height.
 */
export function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [height, setHeight] = useState(LEAST_HEIGHT)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return
      if (data?.ready === true) setReady(true)
      if (typeof data?.height === 'number')
        setHeight(Math.min(4_000, Math.max(LEAST_HEIGHT, data.height)))
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    // The frame has no origin that could be named; it is ours by its address.
    if (ready) frame.current?.contentWindow?.postMessage({ html }, '*')
  }, [ready, html])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title="HTML of the mail"
      sandbox="allow-scripts"
      src="/frames/mail"
      style={{ height }}
    />
  )
}
