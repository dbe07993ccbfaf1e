import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import type { NavigationEntry } from '../panel/define-pages.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useOneKey } from '../session/one-key.ts'
import { useMe } from '../session/session.ts'
import { entryTarget, useSide } from './side.ts'

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** The entries of the navigation with a key that this person may open. */
export function useEntriesWithKey(): readonly NavigationEntry[] {
  const { role } = useMe()
  const { navigation } = usePanel()
  return useMemo(() => {
    const withKey = navigation.filter(({ shortcut }) => shortcut !== undefined)
    const common = withKey.filter(({ forCustomers }) => forCustomers)
    return role === 'admin' ? [...new Set([...common, ...withKey])] : common
  }, [navigation, role])
}

/** Shortcuts of one key. Inactive while somebody types, in dialogs, and where they are switched off. */
export function useShortcuts(onSheet: () => void): void {
  const navigate = useNavigate()
  const oneKey = useOneKey()
  const entries = useEntriesWithKey()
  const [side] = useSide()
  useEffect(() => {
    if (!oneKey) return
    let going = 0
    const press = (event: KeyboardEvent): void => {
      if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      // A dialog has the keyboard to itself.
      if (document.querySelector('dialog[open], [role="dialog"]:not([popover])')) return
      if (event.key === '?') {
        onSheet()
        return
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('[data-search]')
        if (!search) return
        event.preventDefault()
        search.focus()
        return
      }
      const entry =
        Date.now() - going < 1_200 ? entries.find((one) => one.shortcut === event.key) : undefined
      going = event.key === 'g' ? Date.now() : 0
      if (entry) void navigate(entryTarget(entry, side))
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate, entries, oneKey, onSheet, side])
}
