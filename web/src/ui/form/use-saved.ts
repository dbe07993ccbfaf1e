import { useEffect, useRef } from 'react'

/**
 * Keeps a form up to date with saved values: when those change, for example because somebody else
 * saved, the form takes them over, except for fields changed here.
 * @param told the source of the values, if it has more: secrets are never sent, so their fields are
 * cleared once this says that they are set
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
