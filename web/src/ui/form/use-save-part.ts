import { useContext, useEffect, useId } from 'react'
import type { useForm } from './form.tsx'
import { SavePartsContext } from './save-parts.ts'

interface SavePartOptions<V extends object> {
  /** The label of a field, for the list of changes. */
  labelOf: (name: keyof V & string) => string
  blocked?: string | undefined
}

/** Makes a form a part of the `SaveForm` around it: its bar saves and discards the changes. */
export function useSavePart<V extends object>(
  form: Pick<
    ReturnType<typeof useForm<V, unknown>>,
    'changed' | 'busy' | 'refusal' | 'send' | 'discard'
  >,
  { labelOf, blocked }: SavePartOptions<V>,
): void {
  const parts = useContext(SavePartsContext)
  const id = useId()
  useEffect(() => {
    parts?.put(id, {
      changes: form.changed.map(labelOf),
      blocked,
      busy: form.busy,
      refusal: form.refusal,
      send: form.send,
      discard: form.discard,
    })
  })
  useEffect(() => () => parts?.drop(id), [parts, id])
}
