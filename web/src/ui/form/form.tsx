import { type FormEvent, type ReactNode, useLayoutEffect, useState } from 'react'
import type { z } from 'zod'
import { ApiError, type Key } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button, type ButtonKind } from '../buttons/button.tsx'
import { useTyped } from '../dialogs/typed.ts'
import type { Bound, BoundField } from '../fields/field-props.ts'
import { ProblemNote } from '../notices/problem-note.tsx'
import { part } from '../page/part.tsx'
import { changedNames, rebased } from './changes.ts'
import { boundOf, complaint, unreadAmounts } from './complaint.ts'
import styles from './form.module.css'
import { names } from './names.ts'

// Only forms inside the panel use it, but this module is also loaded for signing in.
const ShowCommand = part(async () => ({
  default: (await import('../dialogs/show-command.tsx')).ShowCommand,
}))

type Errors = Readonly<Record<string, string>>
type Bounds = Readonly<Record<string, Bound>>

export interface FormOptions<V, R> {
  initial: V
  /** The initial input, if something was typed before; it counts as changes to `initial`. */
  start?: V
  /** Checked before sending; its complaints appear at the fields. */
  schema?: z.ZodType
  /** The value for the schema, if not the form's values themselves. */
  toBody?: (values: V) => unknown
  /** @param saved what the values were before they were changed here */
  submit: (values: V, saved: V) => Promise<R>
  /** Maps a JSON pointer of the API to a field, when the body is nested differently. */
  nameOf?: (pointer: string) => string
  /** Endpoints to refetch after sending. */
  refreshes?: readonly Key<'GET'>[]
  done?: (result: R, values: V) => void
}

/** Why there is nothing to save. */
export const nothingChanged = (): string => names.nothingChanged

/** Of several complaints about a field the first: what is missing is also too short, or of the wrong form. */
const firstOf = (complaints: readonly (readonly [field: string, text: string])[]): Errors =>
  Object.fromEntries(complaints.toReversed())

const fieldOf = (pointer: string): string => pointer.replace(/^\/+/, '')

function errorsOf(error: unknown, nameOf: (pointer: string) => string): Errors {
  if (!(error instanceof ApiError)) return {}
  const errors = error.problem.errors ?? []
  return firstOf(errors.map(({ pointer, detail }) => [nameOf(fieldOf(pointer)), detail]))
}

const without = (errors: Errors, ...names: readonly string[]): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([key]) => !names.includes(key)))

/** The fields with a complaint; they may be outside the form element. */
const complained = (form: HTMLFormElement): NodeListOf<HTMLElement> =>
  (form.closest('[role="dialog"]') ?? document).querySelectorAll('[aria-invalid="true"]')

/**
 * The state of one form: values, complaints at their fields and the error of the last attempt. The
 * API reports field errors by JSON pointer, e.g. `/name` or `/variables/MOTD`.
 */
export function useForm<V extends object, R>(options: FormOptions<V, R>) {
  const [saved, setSaved] = useState(options.initial)
  const [values, setValues] = useState(options.start ?? options.initial)
  const [errors, setErrors] = useState<Errors>({})
  const [bounds, setBounds] = useState<Bounds>({})
  const [refusal, setRefusal] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ form: HTMLFormElement; error?: unknown }>()
  const [atFields, setAtFields] = useState(false)
  const refresh = useRefresh()

  // Focuses the first complaint after a failed attempt, once the complaints are rendered.
  useLayoutEffect(() => {
    if (!refused) return
    const fields = complained(refused.form)
    fields[0]?.focus()
    const named = Object.keys(errorsOf(refused.error, String))
    setAtFields(named.length > 0 && fields.length >= named.length)
  }, [refused])

  const set = <K extends keyof V>(name: K, value: V[K], pointer: string = String(name)): void => {
    setValues((old) => ({ ...old, [name]: value }))
    setErrors((old) => without(old, String(name), pointer))
  }

  const discard = (): void => {
    setValues(saved)
    setErrors({})
    setRefusal(undefined)
  }

  const rebase = (next: V): void => {
    setValues((old) => rebased(old, saved, next))
    setSaved(next)
  }

  const check = (): { complaints: Errors; bounds: Bounds } => {
    const unread = unreadAmounts(values)
    if (unread.length > 0)
      // Its field explains the format.
      return {
        complaints: Object.fromEntries(unread.map((at) => [at, names.notAnAmount])),
        bounds: {},
      }
    const parsed = options.schema?.safeParse(options.toBody?.(values) ?? values)
    const issues = !parsed || parsed.success ? [] : parsed.error.issues
    return {
      complaints: firstOf(issues.map((issue) => [issue.path.join('/'), complaint(issue)])),
      bounds: Object.fromEntries(
        issues.flatMap((issue) => {
          const bound = boundOf(issue)
          return bound ? [[issue.path.join('/'), bound]] : []
        }),
      ),
    }
  }

  const send = async (form: HTMLFormElement): Promise<boolean> => {
    const { complaints, bounds } = check()
    setErrors(complaints)
    setBounds(bounds)
    setRefusal(undefined)
    if (Object.keys(complaints).length > 0) {
      setRefused({ form })
      return false
    }
    setBusy(true)
    try {
      const result = await options.submit(values, saved)
      setSaved(values)
      void refresh(options.refreshes ?? [])
      options.done?.(result, values)
      return true
    } catch (error) {
      setErrors(errorsOf(error, options.nameOf ?? String))
      setRefusal(error)
      setRefused({ form, error })
      return false
    } finally {
      setBusy(false)
    }
  }

  /** Builds what `send` would send, to show as a command; field errors come first here too. */
  const ask = async (): Promise<unknown> => {
    const { complaints, bounds } = check()
    setErrors(complaints)
    setBounds(bounds)
    return Object.keys(complaints).length === 0 ? options.submit(values, saved) : undefined
  }

  return {
    values,
    errors,
    /** The bounds of amounts with a complaint. */
    bounds,
    refusal,
    /** Whether every part of the refusal is shown at a field. */
    atFields,
    busy,
    set,
    setValues,
    /** The names of the values that differ from the saved or initial ones. */
    changed: changedNames(values, saved),
    discard,
    /** Takes over newly saved values, for example by somebody else; keeps changes made here. */
    rebase,
    /** Validates and submits; false when an error is shown instead. */
    send,
    ask,
    /** Props of the field with this name; `pointer` is its JSON pointer in the API, if different. */
    field: <K extends keyof V & string>(name: K, pointer: string = name): BoundField<V[K]> => ({
      value: values[name],
      error: errors[pointer],
      ...(bounds[pointer] && { bound: bounds[pointer] }),
      onChange: (value) => set(name, value, pointer),
    }),
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      // Otherwise a form in a dialog would also submit the page's form that opened it.
      event.stopPropagation()
      if (!busy) void send(event.currentTarget)
    },
  }
}

/** A form as seen by components that hold some of its fields. */
export type FormState<V extends object> = Pick<
  ReturnType<typeof useForm<V, unknown>>,
  'values' | 'errors' | 'bounds' | 'set' | 'setValues' | 'field'
>

interface FormProps {
  form: {
    refusal: unknown
    atFields?: boolean
    busy: boolean
    changed?: readonly string[]
    ask?: () => Promise<unknown>
    onSubmit: (event: FormEvent<HTMLFormElement>) => void
  }
  /** Text of the button: verb and object. */
  submitText: string
  submitKind?: ButtonKind
  submitFull?: boolean
  disabledBecause?: string | undefined
  /** The cancel action; by default closes the dialog that contains the form. */
  onCancel?: (() => void) | undefined
  /** More buttons after the main one and Cancel. */
  beside?: ReactNode
  label?: string
  /** Offers to show what the form sends as a command. The form must send exactly one API call. */
  command?: boolean
  /** The button stays visible while a long form scrolls. */
  long?: boolean
  children: ReactNode
}

/**
 * A form with one place for errors, directly above the button. In a dialog it has a cancel button,
 * and is not closed by accident.
 */
export function Form({
  form,
  submitText,
  submitKind = 'primary',
  submitFull,
  disabledBecause,
  onCancel,
  beside,
  label,
  long,
  command,
  children,
}: FormProps) {
  const dialog = useTyped((form.changed?.length ?? 0) > 0)
  const cancel = onCancel ?? dialog?.close
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate aria-label={label}>
      {children}
      {form.refusal === undefined ? null : (
        <ProblemNote error={form.refusal} atFields={form.atFields ?? false} />
      )}
      <div className={long ? `${styles.actions} ${styles.stays}` : styles.actions}>
        <Button
          type="submit"
          kind={submitKind}
          busy={form.busy}
          full={submitFull ?? false}
          disabledBecause={disabledBecause}
        >
          {submitText}
        </Button>
        {cancel ? <Button onClick={cancel}>{names.cancel}</Button> : null}
        {beside}
      </div>
      {command && form.ask ? <ShowCommand call={form.ask} /> : null}
    </form>
  )
}
