import { useState } from 'react'

/** How consoles are displayed in this browser. */
export interface ViewSettings {
  readonly times: boolean
  readonly wrap: boolean
  readonly readAloud: boolean
  /** In pixels. */
  readonly size: number
}

const KEY = 'lodge.console'
export const SIZES = { least: 9, most: 22, usual: 13 }
const USUAL: ViewSettings = { times: false, wrap: true, readAloud: true, size: SIZES.usual }

function read(): ViewSettings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return USUAL
    const of = <K extends keyof ViewSettings>(name: K): ViewSettings[K] => {
      const value: unknown = Reflect.get(kept, name)
      return typeof value === typeof USUAL[name] ? (value as ViewSettings[K]) : USUAL[name]
    }
    const size = Math.min(SIZES.most, Math.max(SIZES.least, Math.round(of('size'))))
    return { times: of('times'), wrap: of('wrap'), readAloud: of('readAloud'), size }
  } catch {
    return USUAL
  }
}

/** The settings, and a function that changes some of them for all consoles from now on. */
export function useViewSettings(): [ViewSettings, (change: Partial<ViewSettings>) => void] {
  const [settings, setSettings] = useState(read)
  const change = (part: Partial<ViewSettings>): void => {
    const next = { ...settings, ...part }
    setSettings(next)
    try {
      localStorage.setItem(KEY, JSON.stringify(next))
    } catch {
      // Without storage they last as long as the page.
    }
  }
  return [settings, change]
}
