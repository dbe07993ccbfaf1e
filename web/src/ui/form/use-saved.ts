import { useEffect, useRef } from 'react'

/**
 * Keeps a form on what is saved: when that changes, for example because somebody else saved, the
 * form takes it over, except where it has been changed here.
 * @param told what the values come from, if more than them: secrets are not told, and are emptied
 * once this says that they are set
 */
export function useSaved<V extends object>(
  form: { readonly rebase: (next: V) => void },
  saved: V,
  told: unknown = saved,
): void {
  const words = JSON.stringify(told)
  const known = useRef(words)
  useEffect(() => {
    if (known.current === words) return
    known.current = words
    form.rebase(saved)
  })
}
