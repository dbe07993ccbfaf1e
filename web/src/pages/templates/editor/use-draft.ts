import { createContext, useContext } from 'react'
import type { Path } from './draft.ts'

export interface DraftState {
  readonly draft: unknown
  /** Undefined removes the value. */
  readonly set: (path: Path, value: unknown) => void
  /** The complaint about exactly this place. */
  readonly faultAt: (path: Path) => string | undefined
  readonly disabled: boolean
}

export const DraftContext = createContext<DraftState | undefined>(undefined)

/** The document being edited. */
export function useDraft(): DraftState {
  const state = useContext(DraftContext)
  if (!state) throw new Error('fields of a document stand inside its editor')
  return state
}
