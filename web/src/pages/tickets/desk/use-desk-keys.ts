import { useEffect } from 'react'
import { useOneKey } from '../../../session/one-key.ts'

const typing = (target: Element): boolean =>
  target.matches('[contenteditable], input:not([type="checkbox"]), textarea, select')
const elsewhere = (target: Element): boolean =>
  target.closest('[role="dialog"], [popover]') !== null ||
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** Actions by key. */
export type Keys = Readonly<Record<string, () => void>>

/** Shortcuts of one key for an open ticket. Inactive while somebody types and in dialogs. */
export function useDeskKeys(keys: Keys): void {
  const on = useOneKey()
  useEffect(() => {
    if (!on) return
    // After g, a letter belongs to the shortcut that opens a page.
    let goingUntil = 0
    const press = (event: KeyboardEvent): void => {
      const { target, key } = event
      const modified = event.ctrlKey || event.metaKey || event.altKey
      // Escape leaves the text, so that the shortcuts work again.
      if (key === 'Escape' && target instanceof HTMLElement && typing(target) && !elsewhere(target))
        target.blur()
      if (modified || !(target instanceof Element) || typing(target) || elsewhere(target)) return
      const going = event.timeStamp < goingUntil
      goingUntil = key === 'g' ? event.timeStamp + 1_200 : 0
      const act = going ? undefined : keys[key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [keys, on])
}
