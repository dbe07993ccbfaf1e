import { createLink, useRouterState } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { callTab } from './page.tsx'
import styles from './tabs.module.css'

/** A bar of tabs, each with its own address. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => {
    const tabs = bar.current
    if (path === '' || !tabs) return
    // Scrolls the current tab into view on narrow screens, also when a phone is turned. Only the
    // bar moves: the page keeps its position.
    const seen = new ResizeObserver(() => {
      const current = tabs.querySelector('[aria-current]')?.getBoundingClientRect()
      if (!current) return
      const { left, width } = tabs.getBoundingClientRect()
      tabs.scrollBy({ left: current.left - left - (width - current.width) / 2 })
    })
    seen.observe(tabs)
    callTab(tabs.querySelector('[aria-current]')?.textContent ?? '')
    return () => {
      seen.disconnect()
      callTab('')
    }
  }, [path])
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

const Anchor = (props: ComponentProps<'a'>) => <a {...props}>{props.children}</a>

/** One tab. */
export const Tab = createLink(Anchor)
