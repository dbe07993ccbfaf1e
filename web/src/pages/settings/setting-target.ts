import { createContext } from 'react'

interface SettingTarget {
  /** Id of the setting that somebody looked for and that is not reached yet. */
  readonly wanted: string | undefined
  readonly reached: () => void
}

/** What the search of the settings leads to; the form that has it takes the focus there. */
export const SettingTarget = createContext<SettingTarget>({
  wanted: undefined,
  reached: () => undefined,
})

/** Brings a control into view and puts the focus on it; false when it is not there or is off. */
export function focusSetting(id: string): boolean {
  const found = document.getElementById(id)
  const control = found?.matches('input, textarea, select')
    ? found
    : (found?.querySelector<HTMLElement>('input:checked') ?? found?.querySelector('input'))
  control?.focus({ preventScroll: true })
  if (!control || document.activeElement !== control) return false
  control.scrollIntoView({ block: 'center' })
  return true
}
