import { createContext } from 'react'

interface SettingTarget {
  /** Id of the setting to focus that is not shown yet. */
  readonly wanted: string | undefined
  readonly reached: () => void
}

/** The result chosen in the settings search; the form that contains it takes the focus there. */
export const SettingTarget = createContext<SettingTarget>({
  wanted: undefined,
  reached: () => undefined,
})

/** Scrolls to a control and focuses it; false when it is missing or disabled. */
export function focusSetting(id: string): boolean {
  const found = document.getElementById(id)
  const control = found?.matches('input,textarea,select')
    ? found
    : (found?.querySelector<HTMLElement>('input:checked') ?? found?.querySelector('input'))
  control?.focus({ preventScroll: true })
  if (!control || document.activeElement !== control) return false
  control.scrollIntoView({ block: 'center' })
  mark(control)
  return true
}

/** Marks a found setting until the focus leaves it. */
function mark(control: HTMLElement): void {
  const setting = control.closest<HTMLElement>('[data-setting]') ?? control
  setting.dataset.found = ''
  control.addEventListener('blur', () => delete setting.dataset.found, { once: true })
}
