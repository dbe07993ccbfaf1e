import { type FormEvent, type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../buttons/button.tsx'
import { ProblemNote } from '../notices/problem-note.tsx'
import { changeWords } from './changes.ts'
import { NOTHING_CHANGED } from './form.tsx'
import styles from './save-form.module.css'
import { createSaveParts, SavePartsContext } from './save-parts.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useSaveKey } from './use-save-key.ts'

interface SaveFormProps {
  label: string
  submitText?: string
  children: ReactNode
}

/**
 * A form over everything on a page that can be saved, with one bar: it names what changed, saves it
 * (also by Ctrl or Cmd S) and discards it. Leaving with changes asks first. Its content are parts
 * (`useSavePart`), each of which is sent to its own endpoint.
 */
export function SaveForm({ label, submitText = 'Save changes', children }: SaveFormProps) {
  const [store] = useState(createSaveParts)
  const parts = useSyncExternalStore(store.subscribe, store.read)
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const changes = parts.flatMap((part) => part.changes)
  const changed = changes.length > 0
  const blocked = parts.find((part) => part.blocked !== undefined)?.blocked

  const save = async (): Promise<void> => {
    const element = form.current
    if (!element || sending.current) return
    sending.current = true
    try {
      for (const part of store.read())
        if (part.changes.length > 0 && !(await part.send(element))) break
    } finally {
      sending.current = false
    }
  }
  useSaveKey(form, changed)

  return (
    <SavePartsContext value={store}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        aria-label={label}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save()
        }}
      >
        {children}
        {parts.map(({ refusal }, at) =>
          refusal === undefined ? null : <ProblemNote key={at} error={refusal} />,
        )}
        <div className={changed ? `${styles.bar} ${styles.changed}` : styles.bar}>
          <Button
            type="submit"
            kind="primary"
            busy={parts.some(({ busy }) => busy)}
            disabledBecause={blocked ?? (changed ? undefined : NOTHING_CHANGED)}
          >
            {submitText}
          </Button>
          {changed ? (
            <Button onClick={() => parts.map((part) => part.discard())}>Discard</Button>
          ) : null}
          <span role="status">{changed ? changeWords(changes) : ''}</span>
        </div>
      </form>
      <UnsavedGuard changes={changes} isSaving={() => sending.current} />
    </SavePartsContext>
  )
}
