import { useSyncExternalStore } from 'react'

const KEY = 'lodge.one-key'
const listeners = new Set<() => void>()
let on: boolean | undefined

function isOn(): boolean {
  try {
    on ??= localStorage.getItem(KEY) !== 'off'
  } catch {
    on ??= true
  }
  return on
}

/** Switches the shortcuts of one key on or off, in this browser. */
export function setOneKey(value: boolean): void {
  on = value
  try {
    localStorage.setItem(KEY, value ? 'on' : 'off')
  } catch {
    // Without storage it holds until the next visit.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOneKey = (): boolean => useSyncExternalStore(subscribe, isOn, isOn)
