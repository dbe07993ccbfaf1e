import { useEffect, useRef, useState } from 'react'
import { Note } from '../../ui/notices/note.tsx'
import styles from './entrance.module.css'
import { t } from './words.ts'

const LEAST_HEIGHT = 78

/**
 * The captcha in a separate frame, because its third-party script must not run in the panel's
 * origin. The frame reports only the response and its height.
 */
export function Captcha({
  provider,
  siteKey,
  onAnswer,
}: {
  provider: 'turnstile' | 'hcaptcha'
  siteKey: string
  onAnswer: (answer: string) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [failed, setFailed] = useState(false)
  const [height, setHeight] = useState(LEAST_HEIGHT)
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return
      if (typeof data?.answer === 'string') onAnswer(data.answer)
      if (typeof data?.height === 'number')
        setHeight(Math.min(700, Math.max(LEAST_HEIGHT, data.height)))
      if (data?.failed === true) setFailed(true)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [onAnswer])
  return (
    <>
      <iframe
        ref={frame}
        className={styles.captcha}
        title={t.captchaFrame}
        style={{ height }}
        src={`/frames/${provider}#${encodeURIComponent(siteKey)}`}
      />
      {failed ? (
        <Note tone="err" role="alert" title={t.captchaFailed}>
          {t.captchaFailedText}
        </Note>
      ) : null}
    </>
  )
}
