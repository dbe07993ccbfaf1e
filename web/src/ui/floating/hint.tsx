import {
  type ReactElement,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import styles from './hint.module.css'
import { placeBeside } from './place-beside.ts'

const DELAY_MS = 250

/** A short explanation shown on hover and on keyboard focus; Escape hides it. */
export function Hint({ text, children }: { text: string; children: ReactElement }) {
  const [anchor, setAnchor] = useState<Element>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = (): void => {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  const show = (event: SyntheticEvent): void => {
    if (!(event.target instanceof Element)) return
    const target = event.target.closest(':is(button, a)')
    if (!target || (event.type === 'focus' && !target.matches(':focus-visible'))) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(target), DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the button inside
    <span
      className={styles.watch}
      onPointerOver={show}
      onPointerOut={hide}
      onFocus={show}
      onBlur={hide}
      onClick={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide()
      }}
    >
      {children}
      {anchor ? <Bubble anchor={anchor} text={text} /> : null}
    </span>
  )
}

/** Above its button, or below if there is no room, and always inside the window. */
function Bubble({ anchor, text }: { anchor: Element; text: string }) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (bubble.current) placeBeside(bubble.current, anchor, { side: 'above', align: 'middle' })
  }, [anchor])
  return createPortal(
    <div ref={bubble} role="tooltip" className={styles.bubble}>
      {text}
    </div>,
    document.body,
  )
}
