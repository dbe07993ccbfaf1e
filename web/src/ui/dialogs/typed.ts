import { createContext, useContext, useEffect, useId } from 'react'

/** What a form knows about the dialog that contains it. */
export interface AroundForm {
  /** Records whether a form has text that closing would lose. */
  note: (form: string, typed: boolean) => void
  close: () => void
}

export const AroundFormContext = createContext<AroundForm | undefined>(undefined)

/**
 * Makes the surrounding dialog ask before it closes while something is typed.
 * @returns the dialog; undefined for a form on a page
 */
export function useTyped(typed: boolean): AroundForm | undefined {
  const around = useContext(AroundFormContext)
  const id = useId()
  const note = around?.note
  useEffect(() => {
    note?.(id, typed)
    return () => note?.(id, false)
  }, [note, id, typed])
  return around
}
