import { useContext, useEffect, useId } from 'react'
import { type SavePart, SavePartsContext } from './save-parts.ts'

interface SavedForm<N extends string>
  extends Pick<SavePart, 'busy' | 'refusal' | 'atFields' | 'send' | 'discard'> {
  readonly changed: readonly N[]
}

interface SavePartOptions<N extends string> {
  /** The label of a field, for the list of changes. */
  labelOf: (name: N) => string
  blocked?: string | undefined
  /** It does not exist yet, so it is saved even if unchanged. */
  isNew?: boolean
}

/** Makes a form (`useForm`) a part of the surrounding `SaveForm`, whose bar saves and discards it. */
export function useSavePart<N extends string>(
  form: SavedForm<N>,
  { labelOf, blocked, isNew = false }: SavePartOptions<N>,
): void {
  const parts = useContext(SavePartsContext)
  const id = useId()
  useEffect(() => {
    parts?.put(id, {
      changes: form.changed.map(labelOf),
      isNew,
      blocked,
      busy: form.busy,
      refusal: form.refusal,
      atFields: form.atFields,
      send: form.send,
      discard: form.discard,
    })
  })
  useEffect(() => () => parts?.drop(id), [parts, id])
}
