import { type RefObject, useEffect } from 'react'

/**
 * Ctrl or Cmd S submits the form; without changes it only prevents the browser from saving the page.
 */
export function useSaveKey(form: RefObject<HTMLFormElement | null>, changed: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || event.altKey || event.shiftKey) return
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const above = document.querySelector('[role="dialog"][aria-modal="true"]')
      if (!changed || above) return
      const button = form.current?.querySelector<HTMLElement>('button[type="submit"]')
      button?.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [form, changed])
}
