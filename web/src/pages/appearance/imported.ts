import type { Branding } from '@lodge/shared/branding.ts'

type Listener = (branding: Branding) => void
const listeners = new Set<Listener>()

/** Calls the listener whenever a theme file is read, until the returned function is called. */
export function onImport(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Passes the look of a theme file to the open editor. */
export function showImported(branding: Branding): void {
  for (const listener of listeners) listener(branding)
}
