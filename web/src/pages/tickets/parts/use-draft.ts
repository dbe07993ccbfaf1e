import { useCallback, useEffect, useRef, useState } from 'react'
import { useMe } from '../../../session/session.ts'
import { DraftStore, type State } from './draft-store.ts'
import type { Typed } from './kept-draft.ts'

/** A text that is not sent yet. */
export interface Draft extends Typed {
  /** `here`: only in this browser so far. */
  readonly state: State['state']
  /** What was written to the same ticket in another browser. */
  readonly other: Typed | undefined
  write(text: string): void
  /** Changes anything else of it. */
  change(what: Partial<Typed>): void
  /** Keeps what the other browser has below this text, or lets it go. */
  settle(insert: boolean): void
  /** Resolves when it can be sent. */
  rest(): Promise<void>
  /** It has been sent. */
  sent(): void
}

/**
 * The draft of an answer, or of a new ticket (`new`). Each key press is kept in this browser at once,
 * so that nothing is lost when the tab dies, and a second later with the account.
 */
export function useDraft(id: string): Draft {
  const { id: person, viewing } = useMe()
  const [store] = useState(() => new DraftStore(person, id, viewing !== null))
  const [{ typed, state, other }, setState] = useState(store.state)
  const latest = useRef(store)

  useEffect(() => {
    const kept = latest.current
    const end = kept.begin(setState)
    // What was typed last goes out even if the page is left at once.
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
