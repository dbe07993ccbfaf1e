import { createContext, useContext, useEffect, useRef } from 'react'
import type { Path } from './draft.ts'

export interface DraftState {
  readonly draft: unknown
  /** Undefined removes the value. */
  readonly set: (path: Path, value: unknown) => void
  /** Reports whether the field at this path shows something unreadable, which is not in the draft. */
  readonly setUnread: (path: Path, unread: boolean) => void
  readonly isUnread: (path: Path) => boolean
  /** The error at exactly this path. */
  readonly faultAt: (path: Path) => string | undefined
  readonly disabled: boolean
}

export const DraftContext = createContext<DraftState | undefined>(undefined)

/** The document being edited. */
export function useDraft(): DraftState {
  const state = useContext(DraftContext)
  // Fields of a document must be inside its editor.
  if (!state) throw new Error('DraftContext')
  return state
}

/** Whether the field at this path shows something unreadable; cleared when the field is unmounted. */
export function useUnread(path: Path): readonly [boolean, (unread: boolean) => void] {
  const { isUnread, setUnread } = useDraft()
  const tell = (unread: boolean): void => setUnread(path, unread)
  const last = useRef(tell)
  useEffect(() => {
    last.current = tell
  })
  useEffect(() => () => last.current(false), [])
  return [isUnread(path), tell]
}
