import { useCallback, useEffect, useRef, useState } from 'react'
import { useMe } from '../../../session/session.ts'
import { DraftStore, type State } from './draft-store.ts'
import type { Typed } from './kept-draft.ts'

/** An unsent text. */
export interface Draft extends Typed {
  /** `here`: only in this browser so far. */
  readonly state: State['state']
  /** The draft for the same ticket from another browser. */
  readonly other: Typed | undefined
  write(text: string): void
  /** Changes other fields of it. */
  change(what: Partial<Typed>): void
  /** Inserts the other browser's draft below this text, or discards it. */
  settle(insert: boolean): void
  /** Resolves when it can be sent. */
  rest(): Promise<void>
  /** Call after it was sent. */
  sent(): void
}

/**
 * The draft of an answer, or of a new ticket (`new`). Each keystroke is stored in this browser
 * immediately, so that nothing is lost if the tab dies, and a second later with the account.
 */
export function useDraft(id: string): Draft {
  const { id: person, viewing } = useMe()
  const [store] = useState(() => new DraftStore(person, id, viewing !== null))
  const [{ typed, state, other }, setState] = useState(store.state)
  const latest = useRef(store)

  useEffect(() => {
    const kept = latest.current
    const end = kept.begin(setState)
    // The last change is saved even if the page is left immediately.
    const leave = (): void => {
      if (document.visibilityState === 'hidden') kept.flush()
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      end()
    }
  }, [])

  const change = useCallback((what: Partial<Typed>) => latest.current.change(what), [])
  return {
    ...typed,
    state,
    other,
    write: (text) => change({ text }),
    change,
    settle: (insert) => latest.current.settle(insert),
    rest: () => latest.current.rest(),
    sent: () => latest.current.sent(),
  }
}
