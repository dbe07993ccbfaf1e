import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import styles from './floating.module.css'
import { placeBeside } from './place-beside.ts'

interface FloatingProps {
  /** The `popoverTarget` of the button that opens it. */
  id: string
  label: string
  role: 'dialog' | 'menu'
  /** In pixels. */
  width: number
  align?: 'middle' | 'end'
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  /** The content while open; the argument closes it. */
  children: (close: () => void) => ReactNode
}

/** A box beside its button, above everything else. Escape or a click elsewhere closes it. */
export function Floating(props: FloatingProps) {
  const { id, label, role, width, align = 'middle', onKeyDown, children } = props
  const box = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const element = box.current
    const anchor = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)
    if (!opened || !element || !anchor) return
    const place = (): void => placeBeside(element, anchor, { side: 'below', align })
    place()
    element.dataset.placed = ''
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    // Its content may load later, and then not fit below any more.
    const content = new ResizeObserver(place)
    content.observe(element)
    addEventListener('resize', place)
    addEventListener('scroll', place, true)
    return () => {
      delete element.dataset.placed
      content.disconnect()
      removeEventListener('resize', place)
      removeEventListener('scroll', place, true)
    }
  }, [opened, id, align])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is that of a menu or a dialog
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the same
    <div
      ref={box}
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      className={styles.floating}
      style={{ width } satisfies CSSProperties}
      onToggle={({ newState }) => setOpened(newState === 'open')}
      onKeyDown={onKeyDown}
    >
      {opened ? children(() => box.current?.hidePopover()) : null}
    </div>
  )
}
