import { type FormEvent, type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../buttons/button.tsx'
import { ProblemNote } from '../notices/problem-note.tsx'
import { changeWords } from './change-words.ts'
import { nothingChanged } from './form.tsx'
import styles from './save-form.module.css'
import { createSaveParts, SavePartsContext } from './save-parts.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useSaveKey } from './use-save-key.ts'
import { t } from './words.ts'

interface SaveFormProps {
  label: string
  submitText?: string
  /** More buttons in the bar. */
  beside?: (changed: boolean) => ReactNode
  /** The bar of a long form stays visible even while nothing has changed. */
  long?: boolean
  /** The parameter of the address on which the form depends: another one replaces it. */
  dependsOn?: string | undefined
  children: ReactNode
}

/**
 * The content of a page that can be saved, with one bar that names the changes, saves them (also with
 * Ctrl or Cmd S) and discards them. Leaving with changes asks first. The content consists of parts
 * (`useSavePart`), each of which is sent to its own endpoint.
 */
export function SaveForm(props: SaveFormProps) {
  const { label, submitText = t.saveChanges, beside, long, dependsOn, children } = props
  const [store] = useState(createSaveParts)
  const parts = useSyncExternalStore(store.subscribe, store.read)
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const changes = parts.flatMap((part) => part.changes)
  const changed = changes.length > 0
  const toSave = parts.filter((part) => part.isNew || part.changes.length > 0)
  const savable = toSave.length > 0
  // A part that may not be saved blocks the others only if it has changes itself.
  const judged = savable || parts.some((part) => part.blocked === undefined) ? toSave : parts
  const blocked = judged.find((part) => part.blocked !== undefined)?.blocked

  const save = async (): Promise<void> => {
    const element = form.current
    if (!element || sending.current) return
    sending.current = true
    try {
      for (const part of toSave) if (!(await part.send(element))) break
    } finally {
      sending.current = false
    }
  }
  useSaveKey(form, savable)

  return (
    <SavePartsContext value={store}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        aria-label={label}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          // Ignores submissions of forms in dialogs that this one opened.
          if (event.target === event.currentTarget) void save()
        }}
      >
        {children}
        <div className={changed || long ? `${styles.foot} ${styles.stays}` : styles.foot}>
          {parts.map(({ refusal, atFields }, at) =>
            refusal === undefined ? null : (
              <ProblemNote key={at} error={refusal} atFields={atFields} />
            ),
          )}
          <div className={styles.bar}>
            <Button
              type="submit"
              kind="primary"
              busy={parts.some(({ busy }) => busy)}
              disabledBecause={blocked ?? (savable ? undefined : nothingChanged())}
            >
              {submitText}
            </Button>
            {changed ? (
              <Button onClick={() => parts.map((part) => part.discard())}>{t.discard}</Button>
            ) : null}
            {beside?.(changed)}
            <span role="status">{changed ? changeWords(changes) : ''}</span>
          </div>
        </div>
      </form>
      <UnsavedGuard changes={changes} isSaving={() => sending.current} dependsOn={dependsOn} />
    </SavePartsContext>
  )
}
