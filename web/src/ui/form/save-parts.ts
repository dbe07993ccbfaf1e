import { createContext } from 'react'

/** Values that one endpoint saves, as a part of a form with one save bar. */
export interface SavePart {
  /** The labels of the fields that differ from what is saved. */
  readonly changes: readonly string[]
  /** It does not exist yet, so it is saved even if unchanged. */
  readonly isNew: boolean
  /** Why it cannot be saved. */
  readonly blocked: string | undefined
  readonly busy: boolean
  readonly refusal: unknown
  /** Whether every part of the refusal is shown at a field. */
  readonly atFields: boolean
  /** Saves it; false when it was refused, which its fields then explain. */
  readonly send: (form: HTMLFormElement) => Promise<boolean>
  readonly discard: () => void
}

/** The parts of one form, which load and save independently. */
export interface SaveParts {
  readonly put: (id: string, part: SavePart) => void
  readonly drop: (id: string) => void
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => readonly SavePart[]
}

export function createSaveParts(): SaveParts {
  const parts = new Map<string, SavePart>()
  const listeners = new Set<() => void>()
  let current: readonly SavePart[] = []
  const tell = (): void => {
    current = [...parts.values()]
    for (const listener of listeners) listener()
  }
  return {
    put: (id, part) => {
      parts.set(id, part)
      tell()
    },
    drop: (id) => {
      parts.delete(id)
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => current,
  }
}

export const SavePartsContext = createContext<SaveParts | undefined>(undefined)
