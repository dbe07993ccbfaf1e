import { createLink, useRouterState } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import {
  Children,
  type ComponentProps,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Floating } from '../floating/floating.tsx'
import { foldedTabs } from './fold-tabs.ts'
import { callTab } from './page.tsx'
import styles from './tabs.module.css'
import { t } from './words.ts'

const MENU_WIDTH = 200

/** A bar of tabs, each with its own address. Those that do not fit are behind "More". */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  const bar = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const tabs = Children.toArray(children)
  const count = tabs.length
  const folded = useFolded(bar, path, count)
  const called = useRef('')
  useEffect(() => {
    if (path === '' || count === 0) return
    const current = bar.current?.querySelector('[aria-current]')?.textContent ?? ''
    // If only other tabs are added, keeps the name that a nested page has set.
    if (current !== called.current) callTab(current)
    called.current = current
  }, [path, count])
  useEffect(() => {
    if (path === '') return
    return () => {
      called.current = ''
      callTab('')
    }
  }, [path])
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {tabs.map((tab, index) => (
        <span key={index} data-tab data-folded={folded.includes(index) || undefined}>
          {tab}
        </span>
      ))}
      <button
        type="button"
        className={styles.more}
        popoverTarget={id}
        aria-haspopup="dialog"
        data-folded={folded.length === 0 || undefined}
      >
        {t.moreTabs}
        <ChevronDown aria-hidden />
      </button>
      <Floating
        id={id}
        label={t.moreTabsOf({ tabs: label })}
        role="dialog"
        width={MENU_WIDTH}
        align="end"
      >
        {(close) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: closes after any of its links
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
          <div className={styles.rest} onClick={close}>
            {folded.map((index) => (
              <span key={index}>{tabs[index]}</span>
            ))}
          </div>
        )}
      </Floating>
    </nav>
  )
}

/** The tabs without room, measured again whenever the width or the current tab changes. */
function useFolded(
  bar: { readonly current: HTMLElement | null },
  path: string,
  count: number,
): readonly number[] {
  const [folded, setFolded] = useState<readonly number[]>([])
  useLayoutEffect(() => {
    const element = bar.current
    if (!element || path === '' || count === 0) return
    const measure = (): void => {
      const tabs = [...element.querySelectorAll<HTMLElement>('[data-tab]')]
      const next = foldedTabs({
        widths: tabs.map((tab) => tab.getBoundingClientRect().width),
        gap: Number.parseFloat(getComputedStyle(element).columnGap) || 0,
        available: element.clientWidth,
        more: element.querySelector('button')?.getBoundingClientRect().width ?? 0,
        current: tabs.findIndex((tab) => tab.querySelector('[aria-current]') !== null),
      })
      setFolded((old) => (old.join() === next.join() ? old : next))
    }
    measure()
    const seen = new ResizeObserver(measure)
    seen.observe(element)
    // The font may arrive after the first measurement.
    void document.fonts?.ready.then(measure)
    return () => seen.disconnect()
  }, [bar, path, count])
  return folded
}

const Anchor = (props: ComponentProps<'a'>) => <a {...props}>{props.children}</a>

/** One tab. */
export const Tab = createLink(Anchor)
